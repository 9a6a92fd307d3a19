// The high-level Matmul of every type and format against a plain loop, with matrices in memory of just their size.
#include <cmath>

#include "lib/matmul_intf.h"
#include "pieces.h"

using namespace AscendC;

namespace {

using twin::MatmulInput;
using twin::MatmulOperand;
using twin::Type;

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }
uint32_t BitsOf(Type type) {
    if (type == Type::kInt4) return 4;
    if (type == Type::kInt8) return 8;
    return type == Type::kFloat || type == Type::kInt32 ? 32 : 16;
}

/// Bytes with numbers of a type in them.
struct Numbers {
    Type type;
    std::vector<uint8_t> bytes;
    Numbers(Type of, size_t count, Chance& c) : type(of), bytes((count * BitsOf(of) + 7) / 8) {
        for (size_t i = 0; i < count; ++i) Set(i, static_cast<double>(c.From(0, 14)) - 7);
    }
    template <typename T>
    void Put(size_t i, T value) {
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    template <typename T>
    T Get(size_t i) const {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        return value;
    }
    void Set(size_t i, double value) {
        const auto single = static_cast<float>(value);
        switch (type) {
            case Type::kHalf: return Put(i, half(single));
            case Type::kBfloat16: return Put(i, bfloat16_t(single));
            case Type::kFloat: return Put(i, single);
            case Type::kInt32: return Put(i, static_cast<int32_t>(value));
            case Type::kInt8: return Put(i, static_cast<int8_t>(value));
            default: break;
        }
        uint8_t& pair = bytes[i / 2];
        const auto four = static_cast<uint8_t>(static_cast<int>(value) & 15);
        pair = static_cast<uint8_t>(i % 2 == 0 ? (pair & 0xf0) | four : (pair & 0xf) | four << 4);
    }
    double At(size_t i) const {
        switch (type) {
            case Type::kHalf: return static_cast<float>(Get<half>(i));
            case Type::kBfloat16: return static_cast<float>(Get<bfloat16_t>(i));
            case Type::kFloat: return Get<float>(i);
            case Type::kInt32: return Get<int32_t>(i);
            case Type::kInt8: return Get<int8_t>(i);
            default: break;
        }
        const int four = bytes[i / 2] >> i % 2 * 4 & 15;
        return four < 8 ? four : four - 16;
    }
};

/// A matrix in memory: `high` x `wide` of it in use, of `height` x `width` in all, in rows or in columns of 32 bytes.
struct Stored {
    Type type;
    bool transposed, columns, local;
    uint32_t high, wide, height, width;
    Stored(Chance& c, Type of, uint32_t rows, uint32_t across, bool inUb)
        : type(of), transposed(c.Coin()), columns(c.Coin()), local(inUb), high(transposed ? across : rows),
          wide(transposed ? rows : across) {
        const uint32_t c0 = 256 / BitsOf(type);
        if (type == Type::kInt4 && !columns) wide += 0;
        height = local ? high : high + c.From(0, 3);
        width = local ? wide : wide + c.From(0, 5);
        if (type == Type::kInt4) width = Up(width, 2);
        if (!columns) return;
        if (!local) {
            height = Up(height, 16);
            width = Up(width, c0);
        }
    }
    /// Columns of a tensor in UB have just the matrix, which must then fill them.
    bool Fits() const {
        if (type == Type::kInt4 && local && wide % 2 != 0) return false;
        return !columns || (height % 16 == 0 && width % (256 / BitsOf(type)) == 0);
    }
    size_t Place(uint32_t row, uint32_t column) const {
        const uint32_t r = transposed ? column : row, k = transposed ? row : column, c0 = 256 / BitsOf(type);
        return columns ? static_cast<size_t>(k / c0) * height * c0 + r * c0 + k % c0
                       : static_cast<size_t>(r) * width + k;
    }
    size_t Size() const {
        const uint32_t c0 = 256 / BitsOf(type);
        if (columns && local) return static_cast<size_t>(Up(wide, c0)) * height;
        if (columns) return (static_cast<size_t>(Up(wide, c0) / c0 - 1) * height + high) * c0;
        return static_cast<size_t>(high - 1) * width + wide;
    }
};

struct Types {
    Type in, out, bias;
};
constexpr Types kTypes[] = {
    {Type::kHalf, Type::kFloat, Type::kFloat},     {Type::kHalf, Type::kHalf, Type::kHalf},
    {Type::kBfloat16, Type::kFloat, Type::kFloat}, {Type::kBfloat16, Type::kBfloat16, Type::kFloat},
    {Type::kFloat, Type::kFloat, Type::kFloat},    {Type::kHalf, Type::kInt8, Type::kFloat},
    {Type::kInt8, Type::kInt32, Type::kInt32},     {Type::kInt8, Type::kHalf, Type::kInt32},
    {Type::kInt8, Type::kInt8, Type::kInt32},      {Type::kInt4, Type::kInt32, Type::kInt32},
    {Type::kInt4, Type::kHalf, Type::kInt32}};

/// One calculation: what is multiplied, and how and where its result goes.
struct Calculation {
    Types types;
    uint32_t m, n, k;
    bool onCube, toUb, bias, relu, tiles, sequential, split;
    CubeFormat format;
    twin::MatmulPart part;
    uint32_t baseM, baseN, order, scales;  // no scale, one, or one for each column
    Stored a, b;
    uint32_t orgM, orgN, orgKc;

    Calculation(Chance& c, bool cube)
        : types(kTypes[c.From(0, 10)]), m(c.From(1, 40)), n(c.From(1, 70)), k(c.From(1, 70)), onCube(cube),
          toUb(!cube && c.From(0, 3) == 0), bias(c.Coin()), relu(c.From(0, 3) == 0), tiles(c.From(0, 2) == 0),
          sequential(tiles && c.Coin()), split(false), format(static_cast<CubeFormat>(0)), part(twin::MatmulPart::kAll),
          baseM(16 * c.From(1, 2)), baseN(16 * c.From(1, 2)), order(c.From(0, 1)), scales(0),
          a(c, types.in, m, k, c.From(0, 2) == 0), b(c, types.in, k, n, c.From(0, 2) == 0) {
        const bool narrow = types.out == Type::kInt8 || (types.out == Type::kHalf && BitsOf(types.in) < 16);
        if (narrow) scales = c.From(1, 2);
        const uint32_t formats = c.From(0, 2);
        format = formats == 0 ? CubeFormat::ND : formats == 1 ? CubeFormat::NZ : CubeFormat::ND_ALIGN;
        split = format == CubeFormat::NZ && types.out == Type::kFloat && c.Coin();
        if (!tiles && c.From(0, 3) == 0) part = c.Coin() ? twin::MatmulPart::kUpper : twin::MatmulPart::kLower;
        orgM = a.local ? m : a.transposed ? a.width : a.height;
        orgN = b.local ? n : b.transposed ? b.height : b.width;
        orgKc = c.Coin() ? 0 : n + c.From(0, 9);
        // Elements of a block are whole blocks of 32 bytes in UB.
        if (toUb) orgKc = Up(n, 32);
        if (toUb && orgM < m) orgM = m;
    }
    uint32_t Width() const { return types.out == Type::kInt8 ? 32 : split ? 8 : 16; }
    uint32_t Row() const {
        if (format == CubeFormat::NZ) return Up(orgM, 16);
        const uint32_t row = orgKc != 0 ? orgKc : orgN;
        return format == CubeFormat::ND_ALIGN ? Up(row, 256 / BitsOf(types.out)) : row;
    }
    /// Where an element of C stands; a tile by itself stands at the start.
    size_t Place(uint32_t r, uint32_t c, uint32_t firstRow, uint32_t firstColumn, uint32_t stride) const {
        const uint32_t row = r - firstRow, column = c - firstColumn, c0 = Width();
        return format == CubeFormat::NZ ? static_cast<size_t>(column / c0) * stride * c0 + row * c0 + column % c0
                                        : static_cast<size_t>(row) * stride + column;
    }
    TCubeTiling Tiling() const {
        TCubeTiling t{};
        t.usedCoreNum = t.depthA1 = t.depthB1 = t.stepM = t.stepN = t.stepKa = t.stepKb = t.dbL0A = t.dbL0B = t.dbL0C =
            1;
        t.M = static_cast<int32_t>(orgM);
        t.N = static_cast<int32_t>(orgN);
        t.Ka = t.Kb = t.singleCoreK = static_cast<int32_t>(k);
        t.singleCoreM = static_cast<int32_t>(m);
        t.singleCoreN = static_cast<int32_t>(n);
        t.baseM = static_cast<int32_t>(baseM);
        t.baseN = static_cast<int32_t>(baseN);
        t.baseK = 64;
        t.isBias = bias ? 1 : 0;
        t.iterateOrder = static_cast<int32_t>(order);
        return t;
    }
    twin::MatmulKind Kind() const {
        const auto operand = [](const Stored& s, bool halves) {
            return twin::MatmulOperandKind{s.type, TPosition::GM, s.columns ? CubeFormat::NZ : CubeFormat::ND,
                                           s.transposed || halves, LayoutMode::NONE};
        };
        const bool halves = BitsOf(types.in) == 16;
        twin::MatmulKind kind{};
        kind.a = operand(a, halves);
        kind.b = operand(b, halves);
        kind.c = {types.out, TPosition::GM, format, false, LayoutMode::NONE};
        kind.bias = {types.bias, TPosition::GM, CubeFormat::ND, false, LayoutMode::NONE};
        kind.relu = relu;
        kind.channelSplit = split;
        kind.part = part;
        std::memset(&kind.constants, -1, sizeof kind.constants);  // none is fixed
        return kind;
    }
    bool Calculates(uint32_t row, uint32_t column) const {
        if (part == twin::MatmulPart::kAll) return true;
        return part == twin::MatmulPart::kUpper ? row / baseM <= column / baseN : row / baseM >= column / baseN;
    }
};

/// A factor and an offset of 9 bits, in the word that the hardware takes.
struct Scale {
    float factor;
    int32_t offset;
    explicit Scale(Chance& c)
        : factor(static_cast<float>(c.From(1, 8)) / 8), offset(static_cast<int32_t>(c.From(0, 20)) - 10) {}
    uint64_t Word() const {
        return __builtin_bit_cast(uint32_t, factor) | static_cast<uint64_t>(offset & 0x1ff) << 37 | 1ull << 46;
    }
};

double Left(const Calculation& p, double sum, const Scale& s) {
    if (p.scales == 0) return p.relu && sum < 0 ? 0 : sum;
    double value = sum * static_cast<double>(s.factor);
    if (p.relu && value < 0) value = 0;
    if (p.types.out != Type::kInt8) return value;
    return std::min(std::max(std::nearbyint(value + s.offset), -128.0), 127.0);
}

/// Rows and columns of C, from the first on and before the last.
struct Part {
    uint32_t row, rowEnd, column, columnEnd;
};

std::vector<Part> PartsOf(const Calculation& p) {
    if (!p.tiles && p.part == twin::MatmulPart::kAll) return {{0, p.m, 0, p.n}};
    std::vector<Part> parts;
    const uint32_t down = (p.m + p.baseM - 1) / p.baseM, across = (p.n + p.baseN - 1) / p.baseN;
    for (uint32_t i = 0; i < down * across; ++i) {
        const uint32_t row = (p.order == 0 ? i % down : i / across) * p.baseM,
                       column = (p.order == 0 ? i / down : i % across) * p.baseN;
        if (p.Calculates(row, column))
            parts.push_back({row, std::min(p.m, row + p.baseM), column, std::min(p.n, column + p.baseN)});
    }
    return parts;
}

/// C as a plain loop leaves it: for each part its columns, and what of the last ones is filled with 0.
void Multiply(const Calculation& p, const Numbers& a, const Numbers& b, const Numbers& bias,
              const std::vector<Scale>& scales, std::vector<std::pair<size_t, double>>* out) {
    for (const Part& part : PartsOf(p)) {
        const uint32_t row = p.sequential ? part.row : 0, column = p.sequential ? part.column : 0, c0 = p.Width();
        uint32_t stride = p.Row(), end = part.columnEnd;
        if (p.sequential && p.format == CubeFormat::NZ) stride = Up(part.rowEnd - part.row, 16);
        else if (p.sequential) stride = part.columnEnd - part.column;
        if (p.sequential && p.format == CubeFormat::ND_ALIGN) stride = Up(stride, 256 / BitsOf(p.types.out));
        if (p.format == CubeFormat::NZ) end = column + Up(end - column, c0);
        if (p.format == CubeFormat::ND_ALIGN) end = column + Up(end - column, 256 / BitsOf(p.types.out));
        for (uint32_t r = part.row; r < part.rowEnd; ++r)
            for (uint32_t c = part.column; c < end; ++c) {
                double sum = p.bias && c < p.n ? bias.At(c) : 0;
                for (uint32_t k = 0; k < p.k && c < part.columnEnd; ++k)
                    sum += a.At(p.a.Place(r, k)) * b.At(p.b.Place(k, c));
                out->emplace_back(p.Place(r, c, row, column, stride),
                                  c < part.columnEnd ? Left(p, sum, scales[p.scales == 2 ? c : 0]) : 0);
            }
    }
}

MatmulInput InputOf(Pieces& u, size_t piece, const Stored& s) {
    MatmulInput input;
    input.where = s.local ? MatmulInput::kLocal : MatmulInput::kGlobal;
    if (s.local) input.local = u.At<uint8_t>(piece);
    else input.global = u.Gm<uint8_t>(piece);
    input.transposed = s.transposed;
    return input;
}

MatmulInput InGm(Pieces& u, size_t piece) {
    MatmulInput input;
    input.where = MatmulInput::kGlobal;
    input.global = u.Gm<uint8_t>(piece);
    return input;
}

std::string Check(Chance& chance, bool onCube) {
    const Calculation p(chance, onCube);
    if (!p.a.Fits() || !p.b.Fits()) return "";
    if (p.format != CubeFormat::NZ && p.Row() < p.n) return "";
    const Numbers a(p.types.in, p.a.Size(), chance), b(p.types.in, p.b.Size(), chance), bias(p.types.bias, p.n, chance);
    std::vector<Scale> scales;
    std::vector<uint64_t> words;
    for (uint32_t i = 0; i < p.n; ++i) {
        scales.emplace_back(chance);
        words.push_back(scales[i].Word());
    }
    std::vector<std::pair<size_t, double>> out;
    Multiply(p, a, b, bias, scales, &out);
    size_t size = 0;
    for (const auto& [place, value] : out) size = std::max(size, place + 1);
    if (p.toUb && p.sequential) size = std::max<size_t>(size, p.baseM * p.baseN);
    Numbers c(p.types.out, size, chance);
    const TPosition local = onCube ? TPosition::A1 : TPosition::VECCALC;
    Pieces u;
    const size_t left = p.a.local ? u.Put(local, a.bytes) : u.Store(a.bytes),
                 right = p.b.local ? u.Put(local, b.bytes) : u.Store(b.bytes);
    const size_t to = p.toUb ? u.Put(local, c.bytes) : u.Store(c.bytes);
    const size_t added = p.bias ? u.Store(bias.bytes) : 0, scaled = p.scales == 2 ? u.Store(words) : 0;
    const size_t here = onCube && !p.a.local && !p.b.local ? u.Put(TPosition::A1, std::vector<uint8_t>(32))
                                                           : 0;  // so that it runs there
    for (const auto& [place, value] : out) c.Set(place, value);
    u.Then(to, c.bytes);
    (void)here;
    const twin::MatmulKind kind = p.Kind();
    const TCubeTiling tiling = p.Tiling();
    twin::MatmulState state;
    const auto registers = [&](Pieces&) {
        state = twin::MatmulState();
        twin::MatmulRegister(state, kind, &tiling, GetSysWorkSpacePtr());
    };
    if (!onCube) u.ServeMatmul(registers);
    const auto kernel = [&](Pieces& pieces) {
        if (onCube) registers(pieces);
        // K of the whole matrices, where they are in GM.
        const uint32_t ka = p.a.transposed ? p.a.height : p.a.width, kb = p.b.transposed ? p.b.width : p.b.height;
        twin::MatmulOrgShape(state, p.orgM, p.orgN, p.a.local ? p.k : ka, p.b.local ? p.k : kb, p.orgKc);
        twin::MatmulSet("SetTensorA", state, MatmulOperand::kLeft, InputOf(pieces, left, p.a));
        twin::MatmulSet("SetTensorB", state, MatmulOperand::kRight, InputOf(pieces, right, p.b));
        if (p.bias) twin::MatmulSet("SetBias", state, MatmulOperand::kBias, InGm(pieces, added));
        if (p.scales == 1) twin::MatmulScale(state, words[0]);
        if (p.scales == 2) twin::MatmulSet("SetQuantVector", state, MatmulOperand::kScales, InGm(pieces, scaled));
        const auto global = pieces.Gm<uint8_t>(to);
        const auto ub = pieces.At<uint8_t>(to);
        const twin::MatmulResult result{p.toUb ? nullptr : &global, p.toUb ? &ub : nullptr, 0, p.sequential};
        if (!p.tiles) return twin::MatmulIterateAll(state, true, result, false, false);
        while (twin::MatmulIterate(state, true, false, nullptr)) twin::MatmulGet(state, true, result);
        twin::MatmulEnd(state);
    };
    return p.part == twin::MatmulPart::kAll && !p.sequential && here == 0 ? u.Fits(kernel) : u.Wrong(kernel);
}

}  // namespace

int main() {
    InEachCase("Matmul of the cube core alone", 400, 231, [](Chance& c) { return Check(c, true); });
    InEachCase("Matmul of vector cores", 400, 233, [](Chance& c) { return Check(c, false); });
    return Finish();
}
