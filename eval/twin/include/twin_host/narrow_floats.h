// Ops::Base::fp16_t and bfloat16: narrow floats on the host, for scalars that tiling reads and passes on.
#ifndef TWIN_HOST_NARROW_FLOATS_H
#define TWIN_HOST_NARROW_FLOATS_H

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace Ops {
namespace Base {

/// A half that knows no infinity: results and conversions beyond 65504 are 65504 with their sign, also of infinities
/// and NaN, and the bits of such are read as numbers above 65536. Rounds to the nearest, ties to even. A uint16_t in
/// the constructor is bits; assigned, it is a number.
struct tagFp16 {
    uint16_t val = 0;

    tagFp16() = default;
    tagFp16(const uint16_t& bits) : val(bits) {}
    template <class T>
    tagFp16(const T& value) {
        *this = value;
    }
    tagFp16(const tagFp16&) = default;
    tagFp16& operator=(const tagFp16&) = default;
    tagFp16& operator=(const float& value) { return assign(value); }
    tagFp16& operator=(const double& value) { return assign(value); }
    tagFp16& operator=(const int8_t& value) { return assign(value); }
    tagFp16& operator=(const uint8_t& value) { return assign(value); }
    tagFp16& operator=(const int16_t& value) { return assign(value); }
    tagFp16& operator=(const uint16_t& value) { return assign(value); }
    tagFp16& operator=(const int32_t& value) { return assign(value); }
    tagFp16& operator=(const uint32_t& value) { return assign(value); }

    operator float() const { return static_cast<float>(number()); }
    operator double() const { return number(); }
    // To integers: the nearest, ties to even, and the ends of the type beyond them.
    operator int8_t() const { return integer<int8_t>(); }
    operator uint8_t() const { return integer<uint8_t>(); }
    operator int16_t() const { return integer<int16_t>(); }
    operator uint16_t() const { return integer<uint16_t>(); }
    operator int32_t() const { return integer<int32_t>(); }
    operator uint32_t() const { return integer<uint32_t>(); }
    float toFloat() const { return static_cast<float>(number()); }
    double toDouble() const { return number(); }
    int8_t toInt8() const { return integer<int8_t>(); }
    uint8_t toUInt8() const { return integer<uint8_t>(); }
    int16_t toInt16() const { return integer<int16_t>(); }
    uint16_t toUInt16() const { return integer<uint16_t>(); }
    int32_t toInt32() const { return integer<int32_t>(); }
    uint32_t toUInt32() const { return integer<uint32_t>(); }
    /// 1 and -1 for the bits of an infinity.
    int IsInf() const {
        if ((val & 0x7fff) != kExponent) return 0;
        return val == kExponent ? 1 : -1;
    }

    tagFp16 operator+(const tagFp16 other) const { return rounded(number() + other.number()); }
    tagFp16 operator-(const tagFp16 other) const { return rounded(number() - other.number()); }
    tagFp16 operator*(const tagFp16 other) const { return rounded(number() * other.number()); }
    tagFp16 operator/(const tagFp16 other) const {
        if (number() == 0 && other.number() != 0) return tagFp16();
        const double size = __builtin_fabs(number() / other.number());
        tagFp16 result = rounded(other.number() == 0 ? __builtin_huge_val() : size);
        result.val |= (val ^ other.val) & 0x8000;
        return result;
    }
    tagFp16 operator+=(const tagFp16 other) { return *this = *this + other; }
    tagFp16 operator-=(const tagFp16 other) { return *this = *this - other; }
    tagFp16 operator*=(const tagFp16 other) { return *this = *this * other; }
    tagFp16 operator/=(const tagFp16 other) { return *this = *this / other; }
    bool operator==(const tagFp16& other) const { return number() == other.number(); }
    bool operator!=(const tagFp16& other) const { return number() != other.number(); }
    bool operator>(const tagFp16& other) const { return number() > other.number(); }
    bool operator>=(const tagFp16& other) const { return number() >= other.number(); }
    bool operator<(const tagFp16& other) const { return number() < other.number(); }
    bool operator<=(const tagFp16& other) const { return number() <= other.number(); }

private:
    static constexpr uint16_t kExponent = 0x7c00;
    static constexpr double kMost = 65504;

    static tagFp16 rounded(double value) { return tagFp16().assign(value); }
    tagFp16& assign(double value) {
        const uint16_t sign = __builtin_signbit(value) ? 0x8000 : 0;
        const double size = __builtin_isnan(value) ? kMost : __builtin_fmin(__builtin_fabs(value), kMost);
        int exponent = 0;
        __builtin_frexp(size, &exponent);
        exponent = size < 0x1p-14 ? -14 : exponent - 1;
        // Ten bits of fraction; a denormal has no leading one, and one that rounds up into the next power carries.
        const auto fraction = static_cast<uint32_t>(__builtin_nearbyint(__builtin_ldexp(size, 10 - exponent)));
        val = static_cast<uint16_t>(sign | (fraction + (static_cast<uint32_t>(exponent + 14) << 10)));
        return *this;
    }
    double number() const {
        const int exponent = (val & kExponent) >> 10;
        const int fraction = val & 0x3ff;
        const int scaled = exponent == 0 ? fraction : fraction | 0x400;
        const double size = __builtin_ldexp(scaled, exponent == 0 ? -24 : exponent - 25);
        return (val & 0x8000) != 0 ? -size : size;
    }
    template <class T>
    T integer() const {
        using Limits = std::numeric_limits<T>;
        const bool special = (val & kExponent) == kExponent, negative = (val & 0x8000) != 0;
        // Bits of an infinity or NaN are the largest number even below zero for the two narrow unsigned types.
        if (special && std::is_unsigned_v<T> && (sizeof(T) < 4 || !negative)) return Limits::max();
        if (special) return negative ? Limits::min() : Limits::max();
        const double nearest = __builtin_nearbyint(number());
        if (nearest <= static_cast<double>(Limits::min())) return Limits::min();
        return nearest >= static_cast<double>(Limits::max()) ? Limits::max() : static_cast<T>(nearest);
    }
};
using fp16_t = tagFp16;

/// The upper half of a float, rounded to the nearest, ties to even.
struct bfloat16 {
    struct from_bits_t {};
    static constexpr from_bits_t from_bits() { return from_bits_t(); }
    static constexpr uint16_t NAN_VALUE = 0x7fc0;
    uint16_t value = 0;

    bfloat16() = default;
    constexpr bfloat16(uint16_t bits, from_bits_t) : value(bits) {}
    bfloat16(float number) : value(round_to_bfloat16(number).value) {}
    template <class T>
    bfloat16(const T& number) : bfloat16(static_cast<float>(number)) {}
    template <class T>
    bfloat16& operator=(T number) {
        return *this = round_to_bfloat16(static_cast<float>(number));
    }
    bfloat16(const bfloat16&) = default;
    bfloat16& operator=(const bfloat16&) = default;
    operator float() const {
        const uint32_t bits = static_cast<uint32_t>(value) << 16;
        float number = 0;
        std::memcpy(&number, &bits, sizeof(number));
        return number;
    }
    /// At least the machine epsilon of float, not only other than zero.
    explicit operator bool() const {
        return __builtin_fabsf(static_cast<float>(*this)) >= std::numeric_limits<float>::epsilon();
    }
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    explicit operator T() const {
        return static_cast<T>(static_cast<float>(*this));
    }
    static bfloat16 round_to_bfloat16(float number) {
        uint32_t bits = 0;
        std::memcpy(&bits, &number, sizeof(bits));
        if (__builtin_isnan(number)) return bfloat16(NAN_VALUE, from_bits());
        return bfloat16(static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16), from_bits());
    }
    static constexpr bfloat16 epsilon() { return bfloat16(0x3c00, from_bits()); }
    static constexpr bfloat16 highest() { return bfloat16(0x7f7f, from_bits()); }
    static constexpr bfloat16 lowest() { return bfloat16(0xff7f, from_bits()); }
    static constexpr bfloat16 min_positive_normal() { return bfloat16(0x0080, from_bits()); }
    bool IsZero() const { return (value & 0x7fff) == 0; }
};
// Sums, products and comparisons are those of floats; a result becomes a bfloat16 where it is stored.

}  // namespace Base
}  // namespace Ops

#endif
