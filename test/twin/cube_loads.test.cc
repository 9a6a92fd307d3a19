// The ways into a cube core's memories against plain loops, with all strides and gaps, and the limits of what they
// take.
#include "cube_limits.h"
#include "pieces.h"

namespace {

constexpr uint32_t kCases = 24, kFractal = 512;

template <typename T>
void Copy(std::vector<T>& to, size_t place, const std::vector<T>& from, size_t at, size_t count) {
    std::copy_n(from.begin() + static_cast<long>(at), count, to.begin() + static_cast<long>(place));
}

/// Any numbers of 16 bits but infinities and NaN.
std::vector<half> Halves(Chance& chance, size_t count) {
    auto values = AnyBits<uint16_t>(chance, count);
    for (auto& v : values) v &= 0xbbff;
    std::vector<half> numbers(count);
    std::memcpy(numbers.data(), values.data(), count * 2);
    return numbers;
}

/// Which fractals the repeats of a load read: counted up from the first, or down.
struct Fractals {
    uint32_t start, repeats, stride, gap;
    bool down;
    explicit Fractals(Chance& c) : repeats(c.From(1, 4)), stride(c.From(0, 2)), gap(c.From(0, 2)), down(c.Coin()) {
        start = (down ? stride * (repeats - 1) : 0) + c.From(0, 2);
    }
    uint32_t Source(uint32_t i) const { return down ? start - stride * i : start + stride * i; }
    uint32_t Sources() const { return std::max(Source(0), Source(repeats - 1)) + 1; }
    uint32_t Targets() const { return (repeats - 1) * (gap + 1) + 1; }
};

/// A fractal has 16 rows of 32 bytes; those of 16-bit elements may be turned.
template <typename T>
void Loads(const std::string& type, bool fromGm) {
    InEachCase("LoadData of " + type + (fromGm ? " from GM" : " from L1"), kCases, 101, [&](Chance& chance) {
        constexpr uint32_t kElements = kFractal / sizeof(T);
        const Fractals f(chance);
        const bool turned = sizeof(T) == 2 && !fromGm && chance.Coin();
        const TPosition where = chance.Coin() ? TPosition::A2 : TPosition::B2;
        const auto x = AnyBits<T>(chance, f.Sources() * kElements);
        auto z = AnyBits<T>(chance, f.Targets() * kElements);
        Pieces p;
        const size_t dst = p.Put(where, z), src = fromGm ? p.Store(x) : p.Put(TPosition::A1, x);
        for (uint32_t i = 0; i < f.repeats; ++i)
            for (uint32_t e = 0; e < kElements; ++e)
                z[i * (f.gap + 1) * kElements + (turned ? e % 16 * 16 + e / 16 : e)] = x[f.Source(i) * kElements + e];
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            const LoadData2DParams params(f.start, f.repeats, f.stride, 0, f.gap, turned, f.down ? 1 : 0);
            if (fromGm) LoadData(u.At<T>(dst), u.Gm<T>(src), params);
            else LoadData(u.At<T>(dst), u.At<T>(src), params);
        });
    });
}

/// Squares in L1: [row][column] in columns of 32 bytes. Each becomes its transposed in fractals of 16 rows.
template <typename T>
void Turns(const std::string& type) {
    InEachCase("LoadDataWithTranspose of " + type, kCases, 103, [](Chance& chance) {
        constexpr uint32_t kSide = sizeof(T) == 1 ? 32 : 16, kC0 = 32 / sizeof(T), kElements = kFractal / sizeof(T);
        constexpr uint32_t kFractals = kSide * kSide / kElements;
        Fractals f(chance);
        // The fractals of a square side by side, or those of all squares interleaved.
        const bool apart = chance.Coin();
        const uint32_t between = apart ? f.repeats - 1 : chance.From(0, 1);
        f.gap = apart ? 0 : kFractals * (between + 1) - 1 + chance.From(0, 1);
        const auto x = AnyBits<T>(chance, f.Sources() * kSide * kSide);
        auto z = AnyBits<T>(chance, (f.Targets() + (kFractals - 1) * (between + 1)) * kElements);
        Pieces p;
        const size_t dst = p.Put(chance.Coin() ? TPosition::A2 : TPosition::B2, z), src = p.Put(TPosition::A1, x);
        const auto at = [](uint32_t row, uint32_t column) {
            return column / kC0 * kSide * kC0 + row * kC0 + column % kC0;
        };
        for (uint32_t i = 0; i < f.repeats; ++i)
            for (uint32_t row = 0; row < kSide; ++row)
                for (uint32_t column = 0; column < kSide; ++column) {
                    const uint32_t place = at(column, row);
                    z[(i * (f.gap + 1) + place / kElements * (between + 1)) * kElements + place % kElements] =
                        x[f.Source(i) * kSide * kSide + at(row, column)];
                }
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            LoadDataWithTranspose(
                u.At<T>(dst), u.At<T>(src),
                LoadData2dTransposeParams(f.start, f.repeats, f.stride, f.gap, between, f.down ? 1 : 0));
        });
    });
}

/// 64 x 64 numbers of 4 bits, two to a byte with the lower bits first, into four fractals.
void TurnsOfFourBits() {
    InEachCase("LoadDataWithTranspose of int4b_t", 8, 107, [](Chance& chance) {
        Fractals f(chance);
        const bool apart = chance.Coin();
        const uint32_t between = apart ? f.repeats - 1 : chance.From(0, 1);
        f.gap = apart ? 0 : 4 * (between + 1) - 1 + chance.From(0, 1);
        const auto x = AnyBits<uint8_t>(chance, f.Sources() * 2048);
        auto z = AnyBits<uint8_t>(chance, (f.Targets() + 3 * (between + 1)) * kFractal);
        Pieces p;
        const size_t dst = p.Put(TPosition::B2, z), src = p.Put(TPosition::A1, x);
        for (uint32_t i = 0; i < f.repeats; ++i)
            for (uint32_t e = 0; e < 4096; ++e) {
                const uint32_t value = x[f.Source(i) * 2048 + e / 2] >> e % 2 * 4 & 15, place = e % 64 * 64 + e / 64;
                uint8_t& byte = z[(i * (f.gap + 1) + place / 1024 * (between + 1)) * kFractal + place % 1024 / 2];
                byte = static_cast<uint8_t>(place % 2 == 0 ? (byte & 0xf0) | value : (byte & 0xf) | value << 4);
            }
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            LoadDataWithTranspose(
                u.At<int4b_t>(dst), u.At<int4b_t>(src),
                LoadData2dTransposeParams(f.start, f.repeats, f.stride, f.gap, between, f.down ? 1 : 0));
        });
    });
}

/// Rows of GM in columns of 32 bytes; what is left of the last block of a row becomes 0.
template <typename T>
void Columns(const std::string& type, TPosition where) {
    const std::string name = where == TPosition::A1 ? " to L1" : " to UB";
    InEachCase("DataCopy with Nd2NzParams of " + type + name, 2 * kCases, 109, [&](Chance& chance) {
        constexpr uint32_t kC0 = 32 / sizeof(T);
        const uint32_t matrices = chance.From(1, 3), rows = chance.From(1, 20), columns = chance.From(1, 3 * kC0),
                       pitch = columns + chance.From(0, 5), blocks = (columns + kC0 - 1) / kC0;
        const uint32_t row = chance.From(1, 2), column = rows * row + chance.From(0, 2),
                       matrix = (blocks * column + chance.From(0, 2)) * kC0;
        const uint32_t source = rows * pitch + chance.From(0, 9);
        const auto x = AnyBits<T>(chance, (matrices - 1) * source + (rows - 1) * pitch + columns);
        auto z = AnyBits<T>(chance, (matrices - 1) * matrix + ((blocks - 1) * column + (rows - 1) * row + 1) * kC0);
        Pieces p;
        const size_t dst = p.Put(where, z), src = p.Store(x);
        for (uint32_t i = 0; i < matrices; ++i)
            for (uint32_t r = 0; r < rows; ++r)
                for (uint32_t k = 0; k < blocks * kC0; ++k)
                    z[i * matrix + (k / kC0 * column + r * row) * kC0 + k % kC0] =
                        k < columns ? x[i * source + r * pitch + k] : T(0.0f);
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            DataCopy(u.At<T>(dst), u.Gm<T>(src),
                     Nd2NzParams(matrices, rows, columns, source, pitch, column, row, matrix));
        });
    });
}

/// Pieces of blocks, some blocks apart. A block is 32 bytes in L1, a fractal in L0A and L0B.
template <typename T>
void Fills(const std::string& type) {
    for (const TPosition where : {TPosition::A1, TPosition::A2, TPosition::B2})
        InEachCase("Fill of " + type + " at position " + std::to_string(static_cast<int>(where)), kCases, 113,
                   [&](Chance& chance) {
                       const uint32_t block = (where == TPosition::A1 ? 32 : kFractal) / sizeof(T);
                       const uint32_t repeats = chance.From(1, 4), blocks = chance.From(1, 4), gap = chance.From(0, 3);
                       auto z = AnyBits<T>(chance, ((repeats - 1) * (blocks + gap) + blocks) * block);
                       const T value = AnyBits<T>(chance, 1)[0];
                       Pieces p;
                       const size_t dst = p.Put(where, z);
                       for (uint32_t i = 0; i < repeats; ++i)
                           for (uint32_t e = 0; e < blocks * block; ++e) z[i * (blocks + gap) * block + e] = value;
                       p.Then(dst, z);
                       const auto fill = [&](Pieces& u) {
                           Fill(u.At<T>(dst), InitConstValueParams<T>(repeats, blocks, gap, value));
                       };
                       return p.Fits(fill);
                   });
}

/// To the bias table by 64 bytes, halves becoming floats; to the fixpipe buffer by 128. Gaps are 32 bytes in L1, and 64
/// and 128 in the tables.
void Tables() {
    InEachCase("half to the bias table", kCases, 127, [](Chance& chance) {
        const uint32_t count = chance.From(1, 2), blocks = chance.From(1, 2), from = chance.From(0, 3),
                       to = chance.From(0, 2);
        const auto x = Halves(chance, (count - 1) * (blocks * 32 + from * 16) + blocks * 32);
        auto z = AnyBits<float>(chance, (count - 1) * (blocks * 32 + to * 16) + blocks * 32);
        Pieces p;
        const size_t dst = p.Put(TPosition::C2, z), src = p.Put(TPosition::A1, x);
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t e = 0; e < blocks * 32; ++e)
                z[i * (blocks * 32 + to * 16) + e] = static_cast<float>(x[i * (blocks * 32 + from * 16) + e]);
        p.Then(dst, z);
        return p.Fits(
            [&](Pieces& u) { DataCopy(u.At<float>(dst), u.At<half>(src), DataCopyParams(count, blocks, from, to)); });
    });
    InEachCase("int32_t and float to the bias table", kCases, 131, [](Chance& chance) {
        const uint32_t count = chance.From(1, 2), blocks = chance.From(1, 2), from = chance.From(0, 3),
                       to = chance.From(0, 2);
        const auto x = AnyBits<int32_t>(chance, (count - 1) * (blocks * 16 + from * 8) + blocks * 16);
        auto z = AnyBits<int32_t>(chance, (count - 1) * (blocks + to) * 16 + blocks * 16);
        Pieces p;
        const size_t dst = p.Put(TPosition::C2, z), src = p.Put(TPosition::A1, x);
        for (uint32_t i = 0; i < count; ++i)
            Copy(z, i * (blocks + to) * 16, x, i * (blocks * 16 + from * 8), blocks * 16);
        p.Then(dst, z);
        const DataCopyParams params(count, blocks, from, to);
        const uint32_t form = chance.From(0, 2);
        const auto copy = [&](Pieces& u) {
            if (form == 0) return DataCopy<float, float>(u.At<float>(dst), u.At<float>(src), params);
            if (form == 1) return DataCopy<int32_t, int32_t>(u.At<int32_t>(dst), u.At<int32_t>(src), params);
            // Bits of floats as they are.
            DataCopy(u.At<int32_t>(dst), u.At<float>(src), params);
        };
        return p.Fits(copy);
    });
}

/// By a count both tables take neighbours.
void Counts() {
    InEachCase("L1 to the tables by a count", kCases, 143, [](Chance& chance) {
        const TPosition where = chance.Coin() ? TPosition::C2 : TPosition::C2PIPE2GM;
        const uint32_t count = chance.From(1, 6) * 8;
        const auto x = AnyBits<float>(chance, count);
        Pieces p;
        const size_t dst = p.Put(where, AnyBits<float>(chance, count)), src = p.Put(TPosition::A1, x);
        p.Then(dst, x);
        return p.Fits([&](Pieces& u) { DataCopy(u.At<float>(dst), u.At<float>(src), count); });
    });
}

void Scales() {
    InEachCase("scales to the fixpipe buffer", kCases, 137, [](Chance& chance) {
        const uint32_t count = chance.From(1, 2), blocks = chance.From(1, 2), from = chance.From(0, 3),
                       to = chance.From(0, 2);
        const auto x = AnyBits<uint64_t>(chance, (count - 1) * (blocks * 16 + from * 4) + blocks * 16);
        auto z = AnyBits<uint64_t>(chance, (count - 1) * (blocks + to) * 16 + blocks * 16);
        Pieces p;
        const size_t dst = p.Put(TPosition::C2PIPE2GM, z), src = p.Put(TPosition::A1, x);
        for (uint32_t i = 0; i < count; ++i)
            Copy(z, i * (blocks + to) * 16, x, i * (blocks * 16 + from * 4), blocks * 16);
        p.Then(dst, z);
        const auto copy = [&](Pieces& u) {
            DataCopy(u.At<uint64_t>(dst), u.At<uint64_t>(src), DataCopyParams(count, blocks, from, to));
        };
        return p.Fits(copy);
    });
}

/// Compressed fractals, and 128 bytes of indices for each, which stand beside them in a memory of their own.
void Sparse() {
    InEachCase("LoadDataWithSparse", kCases, 139, [](Chance& chance) {
        const uint32_t start = chance.From(0, 3), repeats = chance.From(1, 3);
        const auto x = AnyBits<int8_t>(chance, (start + repeats) * kFractal);
        auto z = AnyBits<int8_t>(chance, repeats * kFractal);
        Pieces p;
        const size_t dst = p.Put(TPosition::B2, z), src = p.Put(TPosition::A1, x),
                     index = p.Put(TPosition::A1, AnyBits<uint8_t>(chance, (start + repeats) * kFractal / 4));
        Copy(z, 0, x, start * kFractal, repeats * kFractal);
        p.Then(dst, z);
        const auto load = [&](Pieces& u) {
            LoadDataWithSparse(u.At<int8_t>(dst), u.At<int8_t>(src), u.At<uint8_t>(index),
                               LoadData2DParams(start, repeats, 0, 0, 0, false, 0));
        };
        return p.Fits(load);
    });
}

}  // namespace

int main() {
    Loads<half>("half", false);
    Loads<half>("half", true);
    Loads<int8_t>("int8_t", false);
    Loads<float>("float", false);
    Loads<float>("float", true);
    Turns<int8_t>("int8_t");
    Turns<half>("half");
    Turns<float>("float");
    TurnsOfFourBits();
    Columns<int8_t>("int8_t", TPosition::A1);
    Columns<half>("half", TPosition::A1);
    Columns<float>("float", TPosition::A1);
    Columns<half>("half", TPosition::VECCALC);
    Fills<half>("half");
    Fills<uint32_t>("uint32_t");
    Tables();
    Counts();
    Scales();
    Sparse();
    return Finish();
}
