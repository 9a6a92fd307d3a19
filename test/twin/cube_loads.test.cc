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
        const bool floats = chance.Coin();
        const auto copy = [&](Pieces& u) {
            if (floats) DataCopy<float, float>(u.At<float>(dst), u.At<float>(src), params);
            else DataCopy<int32_t, int32_t>(u.At<int32_t>(dst), u.At<int32_t>(src), params);
        };
        return p.Fits(copy);
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

/// Each field of Nd2NzParams at its limit and behind it.
void ColumnLimits() {
    const auto copy = [](Nd2NzParams p) {
        return [p](GlobalTensor<half> gm) { DataCopy(All<half>(TPosition::A1), gm, p); };
    };
    const auto over = [](const std::string& numbers) {
        return "copy-params: Nd2NzParams with " + numbers + "; ndNum is at most 4095, the others 16384";
    };
    Said("4095 matrices", "", copy({4095, 1, 1, 1, 1, 1, 1, 16}));
    Said("4096", over("ndNum 4096, nValue 1, dstNzC0Stride 2, dstNzNStride 3, dstNzMatrixStride 4"),
         copy({4096, 1, 1, 1, 1, 2, 3, 4}));
    Said("16384 rows", "", copy({1, 16384, 1, 0, 1, 1, 1, 0}));
    Said("16385", over("ndNum 1, nValue 16385, dstNzC0Stride 1, dstNzNStride 1, dstNzMatrixStride 0"),
         copy({1, 16385, 1, 0, 1, 1, 1, 0}));
    Said("columns 16384 blocks apart", "", copy({1, 1, 16, 0, 1, 16384, 1, 0}));
    Said("16385", over("ndNum 1, nValue 1, dstNzC0Stride 16385, dstNzNStride 1, dstNzMatrixStride 0"),
         copy({1, 1, 16, 0, 1, 16385, 1, 0}));
    Said("rows 16384 blocks apart", "", copy({1, 1, 16, 0, 1, 1, 16384, 0}));
    Said("16385", over("ndNum 1, nValue 1, dstNzC0Stride 1, dstNzNStride 16385, dstNzMatrixStride 0"),
         copy({1, 1, 16, 0, 1, 1, 16385, 0}));
    Said("matrices 16384 elements apart", "", copy({1, 1, 16, 0, 1, 1, 1, 16384}));
    Said("16385", over("ndNum 1, nValue 1, dstNzC0Stride 1, dstNzNStride 1, dstNzMatrixStride 16385"),
         copy({1, 1, 16, 0, 1, 1, 1, 16385}));
    const auto none = [](const std::string& numbers) {
        return "copy-params: Nd2NzParams with " + numbers + "; these are at least 1";
    };
    Said("no row of the source", none("srcDValue 0, dstNzC0Stride 1, dstNzNStride 2"), copy({1, 1, 16, 0, 0, 1, 2, 0}));
    Said("columns over each other", none("srcDValue 3, dstNzC0Stride 0, dstNzNStride 2"),
         copy({1, 1, 16, 0, 3, 0, 2, 0}));
    Said("rows over each other", none("srcDValue 3, dstNzC0Stride 1, dstNzNStride 0"), copy({1, 1, 16, 0, 3, 1, 0, 0}));
    Said("no matrix", "", copy({0, 1, 16, 0, 0, 0, 0, 0}));
    Said("no row", "", copy({1, 0, 16, 0, 0, 0, 0, 0}));
    Said("no column", "", copy({1, 1, 0, 0, 0, 0, 0, 0}));
}

/// The places that each way in leads between, and the others of the cube core.
void Positions() {
    const std::vector<std::pair<TPosition, std::string>> places = {
        {TPosition::A1, "A1"},   {TPosition::A2, "A2"}, {TPosition::B2, "B2"},
        {TPosition::CO1, "CO1"}, {TPosition::C2, "C2"}, {TPosition::C2PIPE2GM, "C2PIPE2GM"}};
    const auto wrong = [](const std::string& operand, const std::string& at, const std::string& where, bool right) {
        return right ? "" : "wrong-position: " + operand + " is at position " + at + "; it belongs in " + where;
    };
    const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
    const LoadData2dTransposeParams square(0, 1, 0, 0, 0);
    for (const auto& [at, name] : places) {
        const auto where = at;
        const bool l1 = at == TPosition::A1, l0 = at == TPosition::A2 || at == TPosition::B2;
        Said("LoadData of GM to " + name, wrong("dst of LoadData", name, "A1, B1, A2 or B2", l1 || l0),
             [=](auto gm) { LoadData(All<half>(where), gm, one); });
        Said("LoadData to " + name, wrong("dst of LoadData", name, "A2 or B2", l0),
             [=](auto) { LoadData(All<half>(where), All<half>(TPosition::A1), one); });
        Said("LoadData from " + name, wrong("src of LoadData", name, "A1 or B1", l1),
             [=](auto) { LoadData(All<half>(TPosition::A2), All<half>(where), one); });
        Said("LoadDataWithTranspose to " + name, wrong("dst of LoadDataWithTranspose", name, "A2 or B2", l0),
             [=](auto) { LoadDataWithTranspose(All<half>(where), All<half>(TPosition::A1), square); });
        Said("LoadDataWithSparse to " + name, wrong("dst of LoadDataWithSparse", name, "B2", at == TPosition::B2),
             [=](auto) {
                 LoadDataWithSparse(All<int8_t>(where), All<int8_t>(TPosition::A1), All<uint8_t>(TPosition::A1), one);
             });
        Said("LoadDataWithSparse from " + name, wrong("src of LoadDataWithSparse", name, "B1", l1), [=](auto) {
            LoadDataWithSparse(All<int8_t>(TPosition::B2), All<int8_t>(where), All<uint8_t>(TPosition::A1), one);
        });
        Said("indices from " + name, wrong("idx of LoadDataWithSparse", name, "B1", l1), [=](auto) {
            LoadDataWithSparse(All<int8_t>(TPosition::B2), All<int8_t>(TPosition::A1), All<uint8_t>(where), one);
        });
        Said("Nd2NzParams to " + name, wrong("dst of DataCopy", name, "A1, B1 or UB", l1),
             [=](auto gm) { DataCopy(All<half>(where), gm, Nd2NzParams(1, 1, 16, 0, 1, 1, 1, 0)); });
        Said("Fill of " + name, wrong("dst of Fill", name, "A1, B1, A2 or B2", l1 || l0),
             [=](auto) { Fill(All<half>(where), InitConstValueParams<half>(1, 1, 0, half(1.0f))); });
        Said("half to the table from " + name, wrong("src of DataCopy", name, "C1", l1),
             [=](auto) { DataCopy(All<float>(TPosition::C2), All<half>(where), DataCopyParams(1, 1, 0, 0)); });
        Said("half of L1 to " + name, wrong("dst of DataCopy", name, "C2", at == TPosition::C2),
             [=](auto) { DataCopy(All<float>(where), All<half>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
        Said("float to the table from " + name, wrong("src of DataCopy", name, "C1", l1), [=](auto) {
            DataCopy<float, float>(All<float>(TPosition::C2), All<float>(where), DataCopyParams(1, 1, 0, 0));
        });
        Said("L1 to " + name,
             wrong("dst of DataCopy", name, "C2 or C2PIPE2GM", at == TPosition::C2 || at == TPosition::C2PIPE2GM),
             [=](auto) { DataCopy(All<float>(where), All<float>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
    }
    const auto nibbles = [&](TPosition to) {
        return Says([=](auto) { LoadDataWithTranspose(All<int4b_t>(to), All<int4b_t>(TPosition::A1), square); });
    };
    Expect("4 bits go to B2", nibbles(TPosition::B2).empty());
    Expect("4 bits do not go to A2",
           nibbles(TPosition::A2) ==
               "wrong-position: dst of LoadDataWithTranspose is at position A2; it belongs in B2, as "
               "LoadDataWithTranspose of 4-bit types goes nowhere else",
           nibbles(TPosition::A2));
}

void Limits() {
    const auto down = [](uint16_t start, uint16_t stride) {
        return [=](auto) {
            LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1),
                     LoadData2DParams(start, 3, stride, 0, 0, false, 1));
        };
    };
    Said("fractals 4, 2 and 0", "", down(4, 2));
    Said("fractals 3, 1 and -1", "copy-params: LoadData counts down to fractal -1", down(3, 2));
    Said("a turned load of 32 bits", "unsupported-type: LoadData transposes 16-bit types only; this one has 4 bytes",
         [](auto) {
             LoadData(All<float>(TPosition::A2), All<float>(TPosition::A1), LoadData2DParams(0, 1, 0, 0, 0, true, 0));
         });
    Said("a turned load of GM", "copy-params: LoadData from GM cannot transpose",
         [](auto gm) { LoadData(All<half>(TPosition::A2), gm, LoadData2DParams(0, 1, 0, 0, 0, true, 0)); });
    const auto fill = [](uint16_t repeats, uint16_t blocks, uint16_t gap) {
        return
            [=](auto) { Fill(All<half>(TPosition::A1), InitConstValueParams<half>(repeats, blocks, gap, half(1.0f))); };
    };
    const std::string most = "; each is at most 32767";
    Said("32767 repeats of nothing", "", fill(32767, 0, 0));
    Said("32768", "copy-params: Fill with repeatTimes 32768, blockNum 1 and dstGap 2" + most, fill(32768, 1, 2));
    Said("a gap of 32767", "", fill(1, 1, 32767));
    Said("32768", "copy-params: Fill with repeatTimes 1, blockNum 2 and dstGap 32768" + most, fill(1, 2, 32768));
    Said("32767 blocks of a memory of 16384",
         "out-of-buffer: dst of Fill covers bytes 0 to 1048544 of a buffer of 524288 bytes", fill(1, 32767, 0));
    Said("32768", "copy-params: Fill with repeatTimes 1, blockNum 32768 and dstGap 2" + most, fill(1, 32768, 2));
    Said("no block", "", fill(1, 0, 0));
    const auto at = [](const std::string& memory, const std::string& operand, uint32_t from, uint32_t unit) {
        const std::string hex = from == 32 ? "0x20" : from == 64 ? "0x40" : "0x10";
        return "unaligned-ub: " + operand + " starts at " + memory + " address " + hex + ", " + std::to_string(from) +
               " bytes past a multiple of " + std::to_string(unit);
    };
    const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
    Said("L0A from 32 bytes on", at("L0A", "dst of LoadData", 32, 512),
         [=](auto) { LoadData(All<half>(TPosition::A2, 32), All<half>(TPosition::A1), one); });
    Said("L1 from 16 bytes on", at("L1", "src of LoadData", 16, 32),
         [=](auto) { LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1)[8], one); });
    Said("L1 from 32 bytes on", "",
         [=](auto) { LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1, 32), one); });
    Said("scales 64 bytes into their buffer", at("FB", "dst of DataCopy", 64, 128), [](auto) {
        DataCopy(All<uint64_t>(TPosition::C2PIPE2GM, 64), All<uint64_t>(TPosition::A1), DataCopyParams(1, 1, 0, 0));
    });
    Said("the table from 64 bytes on", "",
         [](auto) { DataCopy(All<float>(TPosition::C2, 64), All<float>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
    Said("the table from 32 bytes on", at("BT", "dst of DataCopy", 32, 64),
         [](auto) { DataCopy(All<float>(TPosition::C2, 32), All<float>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
}

/// A vector core has none of these memories, and the instructions are none of its own.
void OnVectorCore() {
    const std::vector<uint8_t> some(4096, 7);
    Pieces p;
    const size_t gm = p.Store(some), l1 = p.Put(TPosition::A1, some), l0a = p.Put(TPosition::A2, some),
                 l0b = p.Put(TPosition::B2, some), table = p.Put(TPosition::C2, std::vector<uint8_t>(256, 7)),
                 l0c = p.Put(TPosition::CO1, some);
    const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
    const auto idles = [&](const std::string& name, const Pieces::Kernel& kernel) {
        const std::string wrong = p.Idles(kernel);
        Expect(name + " on a vector core does nothing", wrong.empty(), wrong);
    };
    idles("LoadData", [&](Pieces& u) { LoadData(u.At<half>(l0a), u.At<half>(l1)[256], one); });
    idles("LoadData of GM", [&](Pieces& u) { LoadData(u.At<half>(l0a), u.Gm<half>(gm), one); });
    idles("LoadDataWithTranspose", [&](Pieces& u) {
        LoadDataWithTranspose(u.At<half>(l0b), u.At<half>(l1), LoadData2dTransposeParams(0, 1, 0, 0, 0));
    });
    idles("LoadDataWithSparse",
          [&](Pieces& u) { LoadDataWithSparse(u.At<int8_t>(l0b), u.At<int8_t>(l1), u.At<uint8_t>(l1), one); });
    idles("DataCopy with Nd2NzParams",
          [&](Pieces& u) { DataCopy(u.At<half>(l1), u.Gm<half>(gm), Nd2NzParams(1, 1, 15, 0, 15, 1, 1, 0)); });
    idles("Fill", [&](Pieces& u) { Fill(u.At<half>(l1), InitConstValueParams<half>(1, 1, 0, half(1.0f))); });
    idles("a copy to the bias table",
          [&](Pieces& u) { DataCopy(u.At<float>(table), u.At<half>(l1), DataCopyParams(1, 1, 0, 0)); });
    idles("Mmad", [&](Pieces& u) {
        Mmad(u.At<float>(l0c), u.At<half>(l0a), u.At<half>(l0b), MmadParams(16, 16, 16, 0, false, true));
    });
    idles("Fixpipe",
          [&](Pieces& u) { Fixpipe(u.Gm<float>(gm), u.At<float>(l0c), FixpipeParamsV220(16, 16, 16, 16, true)); });
    idles("Fixpipe to L1", [&](Pieces& u) {
        FixpipeParamsV220 params(16, 16, 16, 16, false);
        params.quantPre = F322F16;
        Fixpipe(u.At<half>(l1), u.At<float>(l0c), params);
    });
    idles("SetFixPipeConfig", [&](Pieces& u) { SetFixPipeConfig(u.At<uint64_t>(l1)); });
    idles("SetFixpipeNz2ndFlag", [](Pieces&) { SetFixpipeNz2ndFlag(0, 513, 0); });
    idles("LoadData with LoadData2DParamsV2", [&](Pieces& u) {
        LoadData(u.At<half>(l0a), u.At<half>(l1), LoadData2DParamsV2(0, 0, 1, 1, 1, 1, false, 0));
    });
    idles("LoadData of a map", [&](Pieces& u) {
        LoadData3DParamsV2<half> map;
        map.l1H = map.l1W = 4;
        map.channelSize = map.kExtension = map.mExtension = 16;
        LoadData(u.At<half>(l0a), u.At<half>(l1), map);
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
    Scales();
    Sparse();
    ColumnLimits();
    Positions();
    Limits();
    OnVectorCore();
    return Finish();
}
