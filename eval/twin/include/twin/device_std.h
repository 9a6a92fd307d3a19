// AscendC::Std: the parts of the C++ standard library that the vendor's headers bring to the device.
// Source: Ascend C Utils API, "C++ standard library".
#ifndef TWIN_DEVICE_STD_H
#define TWIN_DEVICE_STD_H

#include <type_traits>
#include <utility>

#include "twin/macros.h"

namespace AscendC {
namespace Std {

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::index_sequence;
using std::integer_sequence;
using std::integral_constant;
template <size_t v>
using Int = integral_constant<size_t, v>;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_function;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::is_void_v;
using std::make_index_sequence;
using std::move;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::true_type;

/// Of the device's own: std::tuple is declared for the host.
template <typename... T>
class tuple;
template <>
class tuple<> {};
template <typename Head, typename... Tail>
class tuple<Head, Tail...> : public tuple<Tail...> {
public:
    constexpr tuple() : tuple<Tail...>(), value() {}
    constexpr tuple(const Head& head, const Tail&... tail) : tuple<Tail...>(tail...), value(head) {}
    Head value;
};
template <size_t N, typename T>
struct tuple_element;
template <size_t N, typename Head, typename... Tail>
struct tuple_element<N, tuple<Head, Tail...>> : tuple_element<N - 1, tuple<Tail...>> {};
template <typename Head, typename... Tail>
struct tuple_element<0, tuple<Head, Tail...>> {
    using type = Head;
    using Holder = tuple<Head, Tail...>;
};
template <typename T>
struct tuple_size;
template <typename... T>
struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t N, typename... T>
constexpr auto& get(tuple<T...>& from) {
    return static_cast<typename tuple_element<N, tuple<T...>>::Holder&>(from).value;
}
template <size_t N, typename... T>
constexpr const auto& get(const tuple<T...>& from) {
    return static_cast<const typename tuple_element<N, tuple<T...>>::Holder&>(from).value;
}
template <typename... T>
constexpr tuple<std::decay_t<T>...> make_tuple(T&&... values) {
    return {static_cast<T&&>(values)...};
}
template <typename... T>
inline constexpr bool always_false_v = false;
template <typename T, typename... Others>
inline constexpr bool is_one_of_v = (std::is_same_v<T, Others> || ...);

/// The two may differ in type; the result has the type of both in an expression.
template <typename T, typename U>
__aicore__ constexpr auto max(const T& src0, const U& src1) {
    return src0 > src1 ? src0 : src1;
}
template <typename T, typename U>
__aicore__ constexpr auto min(const T& src0, const U& src1) {
    return src0 < src1 ? src0 : src1;
}
template <typename T>
__aicore__ constexpr T abs(const T& src) {
    return src < 0 ? -src : src;
}
template <typename T, typename U>
__aicore__ constexpr auto ceil_division(const T& num1, const U& num2) {
    return num2 == 0 ? 0 : (num1 + num2 - 1) / num2;
}
template <typename T, typename U>
__aicore__ constexpr auto ceil_align(const T& num1, const U& num2) {
    return ceil_division(num1, num2) * num2;
}

template <typename T, typename U>
using IsSame = std::bool_constant<std::is_same_v<T, U>>;
template <typename T, typename U>
using IsNotSame = std::bool_constant<!std::is_same_v<T, U>>;

}  // namespace Std

/// The bits of a scalar as an unsigned number, such as the value that a copy pads with.
template <typename T, typename U = uint64_t>
__aicore__ inline U GetScalarBitcodeValue(T value) {
    U bits = {};
    __builtin_memcpy(&bits, &value, sizeof(T) < sizeof(U) ? sizeof(T) : sizeof(U));
    return bits;
}

}  // namespace AscendC

/// A structure out of its bytes, of tiling data that a build fixes.
template <typename T>
__aicore__ constexpr T convert_from_bytes(const uint8_t* bytes) {
    struct {
        uint8_t bytes[sizeof(T)];
    } copied = {};
    for (size_t i = 0; i < sizeof(T); ++i) copied.bytes[i] = bytes[i];
    return __builtin_bit_cast(T, copied);
}

#endif
