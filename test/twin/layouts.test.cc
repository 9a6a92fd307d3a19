// Elements in another order over shapes of chance, with operands of just their size, and the sentences about shapes
// that do not fit.
#include "cube_limits.h"
#include "pieces.h"

namespace {

constexpr uint32_t kCases = 40;
size_t Up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

/// [row, column] of a matrix in columns of 16 elements, whose rows are padded to 16 too.
size_t Fractal(size_t rows, size_t row, size_t column) {
    return column / 16 * Up(rows, 16) * 16 + row * 16 + column % 16;
}

template <typename T>
void Pads(const std::string& type) {
    InEachCase("Pad of " + type, kCases, 171, [](Chance& chance) {
        constexpr uint32_t kBlock = 32 / sizeof(T);
        const bool whole = chance.Coin();
        const uint32_t columns =
            whole ? chance.From(1, 3) * kBlock : chance.From(0, 2) * kBlock + chance.From(1, kBlock - 1);
        const uint32_t rows = whole ? chance.From(1, 5) : chance.From(1, 2) * kBlock,
                       left = whole ? 0 : chance.From(0, Up(columns, kBlock) - columns);
        const uint32_t right =
                           whole ? chance.From(0, columns - 1) : chance.From(0, Up(columns, kBlock) - columns - left),
                       used = whole ? columns - right : columns;
        const uint32_t pitch = whole ? columns : left + columns + right;
        const auto x = AnyBits<T>(chance, rows * columns);
        auto z = AnyBits<T>(chance, rows * pitch);
        const T value = static_cast<T>(-5);
        for (uint32_t r = 0; r < rows; ++r)
            for (uint32_t k = 0; k < pitch; ++k) {
                const bool inside = k >= left && k < left + used;
                z[r * pitch + k] = inside ? x[r * columns + k - left] : value;
            }
        Pieces p;
        const size_t dst = p.Put(TPosition::VECCALC, AnyBits<T>(chance, z.size())), src = p.Put(TPosition::VECCALC, x);
        const size_t work = whole ? 0 : p.Put(TPosition::VECCALC, std::vector<uint8_t>(1024));
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            PadParams params{static_cast<uint16_t>(left), static_cast<uint16_t>(right), -5};
            PadTiling tiling;
            tiling.srcHeight = rows;
            tiling.srcWidth = columns;
            tiling.srcOriWidth = used;
            if (whole) Pad(u.At<T>(dst), u.At<T>(src), params, tiling);
            else Pad(u.At<T>(dst), u.At<T>(src), params, u.At<uint8_t>(work), tiling);
        });
    });
    InEachCase("UnPad of " + type, kCases, 173, [](Chance& chance) {
        constexpr uint32_t kBlock = 32 / sizeof(T);
        const uint32_t rows = chance.From(1, 5), columns = chance.From(1, 4) * kBlock,
                       right = chance.From(1, kBlock - 1), kept = columns - right;
        const auto x = AnyBits<T>(chance, rows * columns);
        auto z = AnyBits<T>(chance, rows * kept);
        Pieces p;
        const size_t dst = p.Put(TPosition::VECCALC, z), src = p.Put(TPosition::VECCALC, x);
        for (uint32_t i = 0; i < rows * kept; ++i) z[i] = x[i / kept * columns + i % kept];
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            UnPadParams params{0, static_cast<uint16_t>(right)};
            UnPadTiling tiling;
            tiling.srcHeight = rows;
            tiling.srcWidth = columns;
            UnPad(u.At<T>(dst), u.At<T>(src), params, tiling);
        });
    });
}

/// Heads [B, N, S, H / N], apart from each other or joined in rows, in fractals or in rows.
template <typename T>
void Heads(const std::string& type) {
    for (uint32_t kind = 1; kind <= 6; ++kind)
        InEachCase(
            "Transpose of kind " + std::to_string(kind) + " of " + type, kCases / 2, 177 + kind,
            [kind](Chance& chance) {
                const uint32_t b = chance.From(1, 2), n = chance.From(1, 4), s = chance.From(1, 20),
                               part = chance.From(1, 20);
                const size_t apart = Up(s, 16) * Up(part, 16), joined = Up(s, 16) * Up(n * part, 16),
                             swapped = Up(n, 16) * Up(part, 16);
                const bool splits = kind == 3 || kind == 4;
                const size_t from = splits ? b * joined : b * n * apart;
                const size_t sizes[] = {b * s * n * part,         b * s * swapped,          b * n * apart,
                                        b * n * s * Up(part, 16), b * s * Up(n * part, 16), b * joined};
                const auto x = AnyBits<T>(chance, from);
                auto z = AnyBits<T>(chance, sizes[kind - 1]);
                Pieces p;
                const size_t dst = p.Put(TPosition::VECCALC, z), src = p.Put(TPosition::VECCALC, x),
                             work = p.Put(TPosition::VECCALC, std::vector<uint8_t>((kind < 3 ? 256 : 512) * sizeof(T)));
                for (uint32_t batch = 0; batch < b; ++batch)
                    for (uint32_t head = 0; head < n; ++head)
                        for (uint32_t r = 0; r < s; ++r)
                            for (uint32_t k = 0; k < part; ++k) {
                                const size_t wide = head * part + k, each = batch * n + head;
                                const size_t places[] = {(batch * s + r) * n * part + wide,
                                                         (batch * s + r) * swapped + Fractal(n, head, k),
                                                         each * apart + Fractal(s, r, k),
                                                         (each * s + r) * Up(part, 16) + k,
                                                         (batch * s + r) * Up(n * part, 16) + wide,
                                                         batch * joined + Fractal(s, r, wide)};
                                z[places[kind - 1]] =
                                    x[splits ? batch * joined + Fractal(s, r, wide) : each * apart + Fractal(s, r, k)];
                            }
                p.Then(dst, z);
                return p.Fits([&](Pieces& u) {
                    ConfusionTransposeTiling t;
                    t.param0 = kind;
                    t.param1 = b;
                    t.param2 = n;
                    t.param3 = s;
                    t.param4 = part;
                    Transpose(u.At<T>(dst), u.At<T>(src), u.At<uint8_t>(work), static_cast<TransposeType>(kind), t);
                });
            });
    InEachCase("Transpose of [H, W] of " + type, kCases / 2, 191, [](Chance& chance) {
        const uint32_t h = chance.From(1, 3) * 16, w = chance.From(1, 3) * 16;
        const auto x = AnyBits<T>(chance, h * w);
        auto z = x;
        Pieces p;
        const size_t dst = p.Put(TPosition::VECCALC, AnyBits<T>(chance, h * w)), src = p.Put(TPosition::VECCALC, x);
        for (uint32_t i = 0; i < h * w; ++i) z[i % w * h + i / w] = x[i];
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            ConfusionTransposeTiling t;
            t.param0 = 7;
            t.param1 = h;
            t.param2 = w;
            Transpose(u.At<T>(dst), u.At<T>(src), TransposeType::TRANSPOSE_ND2ND_ONLY, t);
        });
    });
}

/// Channels behind each other, or beside each other for each pixel.
template <typename T>
void Images(const std::string& type) {
    InEachCase("images of " + type, kCases, 193, [](Chance& chance) {
        constexpr uint32_t kBlock = 32 / sizeof(T);
        const uint32_t n = chance.From(1, 3), c = chance.From(1, 6), h = chance.From(1, 3),
                       w = kBlock * chance.From(1, 2), plane = h * w;
        const bool last = chance.Coin();
        const auto x = AnyBits<T>(chance, n * c * plane);
        auto z = x;
        Pieces p;
        const uint32_t rows = sizeof(T) == 1 ? 32 : 16;
        const size_t dst = p.Put(TPosition::VECCALC, AnyBits<T>(chance, x.size())), src = p.Put(TPosition::VECCALC, x),
                     work = p.Put(TPosition::VECCALC, std::vector<uint8_t>((last ? c + 2 : 2 * c + 1) * rows * 32));
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t channel = 0; channel < c; ++channel)
                for (uint32_t at = 0; at < plane; ++at) {
                    const size_t front = (i * c + channel) * plane + at, behind = (i * plane + at) * c + channel;
                    z[last ? behind : front] = x[last ? front : behind];
                }
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            Transpose(u.At<T>(dst), u.At<T>(src), u.At<uint8_t>(work),
                      TransposeParamsExt(
                          n, c, h, w, last ? TransposeType::TRANSPOSE_NCHW2NHWC : TransposeType::TRANSPOSE_NHWC2NCHW));
        });
    });
}

/// [N, C, D, H, W], whose planes are padded to 16 elements, and blocks of 16 channels and perhaps of 16 of N.
void Formats() {
    for (const bool three : {false, true})
        for (const bool from : {false, true})
            InEachCase(
                std::string(three ? "FRACTAL_Z_3D" : "NDC1HWC0") + (from ? " of NCDHW" : " to NCDHW"), kCases, 197,
                [=](Chance& chance) {
                    const auto some = [&](uint32_t most) { return chance.From(0, 4) == 0 ? 16 : chance.From(1, most); };
                    const uint32_t n = three ? some(18) : chance.From(1, 3), c = some(20), d = chance.From(1, 2),
                                   h = chance.From(1, 3), w = chance.From(1, 4);
                    const size_t plane = Up(h * w, 16), c1 = Up(c, 16) / 16, n1 = Up(n, 16) / 16;
                    const size_t plainSize = n * c * d * plane, otherSize = d * c1 * h * w * 16 * (three ? n1 * 16 : n);
                    const size_t padded = d * c1 * 16 * plane * 2;
                    size_t bytes = from ? padded + d * plane * 2 : padded + 512;
                    if (three && from)
                        bytes = n1 * 16 * padded + std::max<size_t>(c * d * plane, d * h * w * n1 * 16) * 2;
                    else if (three) bytes = n1 * 16 * padded * (n % 16 == 0 && c % 16 == 0 ? 1 : 2);
                    if (bytes + 2 * (plainSize + otherSize) > 190000) return std::string();
                    const auto x = AnyBits<uint16_t>(chance, from ? plainSize : otherSize);
                    auto z = from ? std::vector<uint16_t>(otherSize, 0) : AnyBits<uint16_t>(chance, plainSize);
                    Pieces p;
                    const size_t dst = p.Put(TPosition::VECCALC, z), src = p.Put(TPosition::VECCALC, x),
                                 work = p.Put(TPosition::VECCALC, std::vector<uint8_t>(bytes));
                    for (size_t i = 0; i < n * c * d * h * w; ++i) {
                        const size_t at = i % (h * w), depth = i / (h * w) % d, channel = i / (h * w * d) % c,
                                     batch = i / (h * w * d * c);
                        const size_t plain = ((batch * c + channel) * d + depth) * plane + at, lane = channel % 16,
                                     block = channel / 16;
                        const size_t other = three ? (((depth * c1 + block) * h * w + at) * n1 * 16 + batch) * 16 + lane
                                                   : (((batch * d + depth) * c1 + block) * h * w + at) * 16 + lane;
                        z[from ? other : plain] = x[from ? plain : other];
                    }
                    p.Then(dst, z);
                    return p.Fits([&](Pieces& u) {
                        const DataFormat blocks = three ? DataFormat::FRACTAL_Z_3D : DataFormat::NDC1HWC0;
                        const TransDataConfig config{from ? DataFormat::NCDHW : blocks,
                                                     from ? blocks : DataFormat::NCDHW};
                        const uint32_t blocksC = static_cast<uint32_t>(c1), blocksN = static_cast<uint32_t>(n1);
                        const twin::Axes plain{{n, c, d, h, w}, 5};
                        const twin::Axes other = three ? twin::Axes{{d, blocksC, h, w, blocksN, 16, 16}, 7}
                                                       : twin::Axes{{n, d, blocksC, h, w, 16}, 6};
                        const auto room = u.At<uint8_t>(work);
                        twin::TransformFormat(u.At<uint16_t>(dst), u.At<uint16_t>(src), &room, config,
                                              from ? plain : other, from ? other : plain);
                    });
                });
}

/// Columns of 16 in UB to rows of GM.
template <typename T>
void Rows(const std::string& type) {
    InEachCase("columns to rows of " + type, kCases, 199, [](Chance& chance) {
        const uint32_t matrices = chance.From(1, 3), rows = chance.From(1, 9), blocks = chance.From(1, 3),
                       column = rows + chance.From(0, 4), matrix = static_cast<uint32_t>(Up(blocks * column, 16)) / 16,
                       pitch = blocks * 16 + chance.From(0, 3), step = rows * pitch + chance.From(0, 3);
        const auto x = AnyBits<T>(chance, (matrices - 1) * matrix * 256 + (blocks - 1) * column * 16 + rows * 16);
        auto z = AnyBits<T>(chance, (matrices - 1) * step + (rows - 1) * pitch + blocks * 16);
        Pieces p;
        const size_t dst = p.Store(z), src = p.Put(TPosition::VECCALC, x);
        for (uint32_t i = 0; i < matrices; ++i)
            for (uint32_t r = 0; r < rows; ++r)
                for (uint32_t k = 0; k < blocks * 16; ++k)
                    z[i * step + r * pitch + k] = x[i * matrix * 256 + (k / 16 * column + r) * 16 + k % 16];
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            DataCopy(u.Gm<T>(dst), u.At<T>(src),
                     Nz2NdParamsFull(matrices, rows, blocks * 16, matrix, column, pitch, step));
        });
    });
}

/// More rows than one instruction of the device copies.
void ManyRows() {
    constexpr uint32_t kMany = 4100;
    Pieces p;
    Chance chance(5);
    const auto x = AnyBits<half>(chance, kMany * 16);
    auto z = std::vector<half>((kMany - 1) * 17 + 16);
    const size_t dst = p.Store(z), src = p.Put(TPosition::VECCALC, x);
    for (uint32_t i = 0; i < x.size(); ++i) z[i / 16 * 17 + i % 16] = x[i];
    p.Then(dst, z);
    const auto wrong = p.Fits(
        [&](Pieces& u) { DataCopy(u.Gm<half>(dst), u.At<half>(src), Nz2NdParamsFull(1, kMany, 16, 1, 0, 17, 1)); });
    Expect("4100 rows", wrong.empty(), wrong);
}

}  // namespace

int main() {
    Pads<half>("half");
    Pads<int32_t>("int32_t");
    Heads<half>("half");
    Heads<uint32_t>("uint32_t");
    Images<uint8_t>("uint8_t");
    Images<half>("half");
    Images<float>("float");
    Formats();
    Rows<half>("half");
    Rows<float>("float");
    ManyRows();
    return Finish();
}
