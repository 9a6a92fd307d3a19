// Tensors of the device's memory as a line names them: read, copied, changed in type, filled, and brought from files.
#ifndef SUBMISSION_ELEMENTS_H
#define SUBMISSION_ELEMENTS_H

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/direct/device.h"

namespace elements {

/// What a line asks that this device does not have; nothing happened.
struct Wrong {
    std::string what;
};

using Words = std::istringstream;

template <typename T> T Next(Words& words) {
    T value{};
    if (!(words >> value)) throw Wrong{"a line ends too early"};
    return value;
}

inline std::vector<uint8_t> NextBytes(Words& words) {
    const auto text = Next<std::string>(words);
    if (text == "-") return {};
    std::vector<uint8_t> bytes(text.size() / 2);
    for (size_t i = 0; i < bytes.size(); ++i) {
        unsigned value = 0;
        if (std::sscanf(text.c_str() + 2 * i, "%2x", &value) != 1) throw Wrong{"bytes are no hexadecimal digits"};
        bytes[i] = static_cast<uint8_t>(value);
    }
    return bytes;
}

inline uint8_t* Place(uint64_t place, uint64_t bytes) {
    auto* begin = reinterpret_cast<uint8_t*>(place);
    const auto* one = twin::direct::allocationOf(begin);
    if (one == nullptr || bytes > one->bytes - static_cast<uint64_t>(begin - one->data))
        throw Wrong{"a tensor does not lie in the memory of the device"};
    return begin;
}

using Bf = c10::BFloat16;
using Hf = c10::Half;

inline size_t BytesOf(const std::string& type) {
    if (type == "int8" || type == "uint8" || type == "bool") return 1;
    if (type == "int16" || type == "float16" || type == "bfloat16") return 2;
    if (type == "int32" || type == "float32") return 4;
    if (type == "int64" || type == "float64") return 8;
    throw Wrong{"the device has no tensors of " + type};
}

/// Elements of memory by their index, the last axis first.
struct Elements {
    std::string type;
    size_t bytes = 0;
    uint8_t* data = nullptr;
    std::vector<int64_t> sizes, strides;

    int64_t Count() const {
        int64_t count = 1;
        for (const int64_t size : sizes) count *= size;
        return count;
    }
    bool IsDense() const {
        int64_t expected = 1;
        for (size_t axis = sizes.size(); axis-- > 0; expected *= sizes[axis])
            if (sizes[axis] != 1 && strides[axis] != expected) return false;
        return true;
    }
};

inline Elements NextTensor(Words& words) {
    Elements one;
    one.type = Next<std::string>(words);
    one.bytes = BytesOf(one.type);
    const auto place = Next<uint64_t>(words);
    const auto count = Next<size_t>(words);
    if (count > 64) throw Wrong{"a tensor has too many dimensions"};
    for (size_t axis = 0; axis < count; ++axis) one.sizes.push_back(Next<int64_t>(words));
    for (size_t axis = 0; axis < count; ++axis) one.strides.push_back(Next<int64_t>(words));
    __int128 last = 0, elements = 1;
    for (size_t axis = 0; axis < count; ++axis) {
        if (one.sizes[axis] < 0 || one.strides[axis] < 0) throw Wrong{"a tensor goes backwards"};
        elements *= one.sizes[axis];
        last += static_cast<__int128>(one.sizes[axis] - 1) * one.strides[axis];
        if (elements > INT64_MAX || last > INT64_MAX / 16) throw Wrong{"a tensor is too large"};
    }
    if (elements > 0) one.data = Place(place, (static_cast<uint64_t>(last) + 1) * one.bytes);
    return one;
}

/// Goes over the elements in order: byte offsets from one to the next, without a multiplication for each.
class Walk {
public:
    explicit Walk(const Elements& of) : of_(of), at_(of.data), index_(of.sizes.size()) {}
    uint8_t* operator*() const { return at_; }
    void operator++() {
        for (size_t axis = of_.sizes.size(); axis-- > 0;) {
            const int64_t step = of_.strides[axis] * static_cast<int64_t>(of_.bytes);
            at_ += step;
            if (++index_[axis] < of_.sizes[axis]) return;
            at_ -= step * of_.sizes[axis];
            index_[axis] = 0;
        }
    }

private:
    const Elements& of_;
    uint8_t* at_;
    std::vector<int64_t> index_;
};

template <typename T> T At(const uint8_t* place) {
    T value;
    std::memcpy(&value, place, sizeof value);
    return value;
}

/// Of integers the last bits, of other numbers the nearest that the type has below, as aclnnCast has it.
template <typename To, typename From> To Changed(From from) {
    if constexpr (std::is_same_v<To, bool>) return static_cast<float>(from) != 0 || from != from;
    else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
        const auto value = static_cast<double>(from);
        if (value != value) return 0;
        if (value <= static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        if (value >= static_cast<double>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    } else if constexpr (std::is_same_v<To, Hf> || std::is_same_v<To, Bf>) return To(static_cast<float>(from));
    else return static_cast<To>(from);
}

template <typename Visit> void WithType(const std::string& type, Visit visit) {
    if (type == "float32") visit(float{});
    else if (type == "float16") visit(Hf{});
    else if (type == "bfloat16") visit(Bf{});
    else if (type == "float64") visit(double{});
    else if (type == "int8") visit(int8_t{});
    else if (type == "uint8") visit(uint8_t{});
    else if (type == "int16") visit(int16_t{});
    else if (type == "int32") visit(int32_t{});
    else if (type == "int64") visit(int64_t{});
    else visit(bool{});
}

inline void CopyElements(const Elements& to, const Elements& from) {
    const int64_t count = from.Count();
    if (count != to.Count()) throw Wrong{"two tensors of a copy differ in their sizes"};
    if (count == 0) return;
    if (to.type == from.type && to.IsDense() && from.IsDense()) {
        std::memmove(to.data, from.data, static_cast<size_t>(count) * to.bytes);
        return;
    }
    Walk target(to), source(from);
    if (to.type == from.type) {
        for (int64_t i = 0; i < count; ++i, ++target, ++source) std::memcpy(*target, *source, to.bytes);
        return;
    }
    WithType(to.type, [&](auto kindTo) {
        WithType(from.type, [&](auto kindFrom) {
            for (int64_t i = 0; i < count; ++i, ++target, ++source) {
                const auto value = Changed<decltype(kindTo)>(At<decltype(kindFrom)>(*source));
                std::memcpy(*target, &value, sizeof value);
            }
        });
    });
}

inline void Fill(const Elements& to, const std::vector<uint8_t>& element) {
    if (element.size() != to.bytes) throw Wrong{"an element has other bytes than its type"};
    Walk target(to);
    for (int64_t left = to.Count(); left > 0; --left, ++target) std::memcpy(*target, element.data(), to.bytes);
}

/// `to`: into memory, from a file.
inline void Exchange(const Elements& with, const std::string& path, bool to) {
    const auto bytes = static_cast<size_t>(with.Count()) * with.bytes;
    std::fstream file(path, std::ios::binary | (to ? std::ios::in : std::ios::out | std::ios::trunc));
    const auto move = [&](uint8_t* data) {
        auto* place = reinterpret_cast<char*>(data);
        if (to) file.read(place, static_cast<std::streamsize>(bytes));
        else file.write(place, static_cast<std::streamsize>(bytes));
    };
    if (with.IsDense()) {
        move(with.data);
    } else {
        std::vector<uint8_t> dense(bytes);
        Elements packed = with;
        packed.data = dense.data();
        int64_t stride = 1;
        for (size_t axis = packed.sizes.size(); axis-- > 0; stride *= packed.sizes[axis]) packed.strides[axis] = stride;
        if (!to) CopyElements(packed, with);
        move(dense.data());
        if (to) CopyElements(with, packed);
    }
    file.flush();
    if (!file) throw std::runtime_error("the file " + path + " could not be " + (to ? "read" : "written"));
}

}  // namespace elements

#endif
