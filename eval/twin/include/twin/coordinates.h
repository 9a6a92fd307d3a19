// Shapes, strides and coordinates as tuples, and the place that a coordinate has in memory. Source: Ascend C basic API,
// Layout and Coordinate.
#ifndef TWIN_COORDINATES_H
#define TWIN_COORDINATES_H

#include <utility>

#include "twin/device_std.h"

namespace AscendC {

/// Axes and steps of a tensor; steps may be left out.
template <typename... T>
using Shape = Std::tuple<T...>;
template <typename... T>
using Stride = Std::tuple<T...>;
template <typename... T>
__aicore__ constexpr Shape<T...> MakeShape(const T&... axes) {
    return {axes...};
}
template <typename... T>
__aicore__ constexpr Stride<T...> MakeStride(const T&... steps) {
    if constexpr (sizeof...(T) == 0) return {};
    else return {steps...};
}
template <typename ShapeType, typename StrideType>
struct Layout {
    __aicore__ constexpr Layout() {}
    __aicore__ constexpr Layout(const ShapeType& axes, const StrideType& steps) : shape(axes), stride(steps) {}
    __aicore__ constexpr const ShapeType& GetShape() const { return shape; }
    __aicore__ constexpr const StrideType& GetStride() const { return stride; }
    /// Elements from the start of the tensor.
    template <typename CoordType>
    __aicore__ constexpr auto operator()(const CoordType& coord) const {
        constexpr size_t dimensions = Std::tuple_size<CoordType>::value;
        static_assert(
            dimensions == Std::tuple_size<ShapeType>::value && dimensions == Std::tuple_size<StrideType>::value,
            "a Coord has as many numbers as the shape and the stride of its Layout");
        return PlaceOf(coord, std::make_index_sequence<dimensions>());
    }
    ShapeType shape;
    StrideType stride;

private:
    template <typename CoordType, size_t... N>
    __aicore__ constexpr auto PlaceOf(const CoordType& coord, std::index_sequence<N...>) const {
        return ((Std::get<N>(coord) * Std::get<N>(stride)) + ...);
    }
};
template <typename ShapeType, typename StrideType>
__aicore__ constexpr Layout<ShapeType, StrideType> MakeLayout(const ShapeType& shape, const StrideType& stride) {
    return {shape, stride};
}
template <typename... T>
using Coord = Std::tuple<T...>;
template <typename... T>
__aicore__ constexpr Coord<T...> MakeCoord(const T&... numbers) {
    return {numbers...};
}
template <typename CoordType, typename ShapeType, typename StrideType>
__aicore__ constexpr auto Crd2Idx(const CoordType& coord, const Layout<ShapeType, StrideType>& layout) {
    return layout(coord);
}
template <size_t N, typename... T>
__aicore__ constexpr const auto& Get(const Std::tuple<T...>& from) {
    return Std::get<N>(from);
}

}  // namespace AscendC

#endif
