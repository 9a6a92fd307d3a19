// Products of the high-level Matmul: blocks of A and B are packed as numbers of 4 bytes, and summed in the order of k.
// The order inside the cube core is not documented; this one does not depend on the tiling.
#include <algorithm>
#include <cstring>

#include "matmul.h"
#include "numbers.h"

namespace twin {

namespace {

constexpr uint32_t kStripRows = 4, kStripColumns = 16;
constexpr uint32_t kBlockRows = 64, kBlockColumns = 256;

template <typename N>
struct Lanes8 {
    typedef N type __attribute__((vector_size(32)));
};

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

/// `count` numbers as float, or as the bits of int32_t.
void Widen(Type type, const uint8_t* from, void* to, uint32_t count) {
    if (type == Type::kHalf)
        return HalfToFloat(reinterpret_cast<const uint16_t*>(from), static_cast<float*>(to), count);
    if (type == Type::kBfloat16)
        return Bfloat16ToFloat(reinterpret_cast<const uint16_t*>(from), static_cast<float*>(to), count);
    auto* out = static_cast<int32_t*>(to);
    if (type == Type::kInt4) {  // the lower half of a byte comes first
        for (uint32_t i = 0; i < count; ++i) out[i] = static_cast<int8_t>(from[i / 2] << (i % 2 == 0 ? 4 : 0)) >> 4;
        return;
    }
    if (type != Type::kInt8) {
        std::memcpy(to, from, count * 4ull);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) out[i] = static_cast<int8_t>(from[i]);
}

uint32_t ColumnWidth(const MatrixView& view) { return view.type == Type::kInt4 ? 64 : 32 / TypeBytes(view.type); }

/// Place of an element in bytes; of int4b_t, whose rows have even lengths, an even one.
uint64_t PlaceOf(const MatrixView& view, uint32_t row, uint32_t column) {
    if (!view.columns) return BytesOf(view.type, static_cast<uint64_t>(row) * view.width + column);
    const uint32_t c0 = ColumnWidth(view);
    return BytesOf(view.type, static_cast<uint64_t>(column / c0) * Up(view.height, 16) * c0 +
                                  static_cast<uint64_t>(row) * c0 + column % c0);
}

/// A window of a matrix as rows of numbers, and which of its rows and columns hold values that nobody wrote.
struct Window {
    std::vector<uint8_t> numbers, unknownRows, unknownColumns;
};

void Read(const MatrixView& view, const MatrixWindow& w, Window* out) {
    out->numbers.resize(4ull * w.rows * w.columns);
    out->unknownRows.assign(w.rows, 0);
    out->unknownColumns.assign(w.columns, 0);
    for (uint32_t r = 0; r < w.rows; ++r) {
        uint8_t* row = out->numbers.data() + 4ull * r * w.columns;
        for (uint32_t c = 0; c < w.columns;) {
            const uint32_t many = view.columns
                                      ? std::min(w.columns - c, ColumnWidth(view) - (w.column + c) % ColumnWidth(view))
                                      : w.columns;
            const uint64_t at = PlaceOf(view, w.row + r, w.column + c);
            Widen(view.type, view.data + at, row + 4ull * c, many);
            for (uint32_t i = 0; view.known != nullptr && i < many; ++i) {
                const uint64_t from = at + (view.type == Type::kInt4 ? i / 2 : BytesOf(view.type, i)),
                               bytes = BytesOf(view.type, 1);
                if (std::memchr(view.known + from, 0, bytes) == nullptr) continue;
                out->unknownRows[r] = 1;
                out->unknownColumns[c + i] = 1;
            }
            c += many;
        }
    }
}

/// Strips of `unit` rows (of A) or columns (of B), each with its k-th numbers next to each other; what is missing is 0.
template <typename N>
struct Packed {
    std::vector<N> numbers;
    std::vector<uint8_t> unknown;  // by row of A, column of B
};

template <typename N>
void Pack(const MatrixView& view, bool alongRows, uint32_t first, uint32_t many, uint32_t k, uint32_t unit,
          Packed<N>* out) {
    const uint32_t strips = Up(many, unit) / unit;
    out->numbers.assign(static_cast<size_t>(strips) * unit * k, N{});
    out->unknown.assign(many, 0);
    if (view.scalar) {
        std::fill(out->numbers.begin(), out->numbers.end(), static_cast<N>(view.value));
        return;
    }
    Window window;
    Read(view, alongRows ? MatrixWindow{first, many, 0, k} : MatrixWindow{0, k, first, many}, &window);
    out->unknown = alongRows ? window.unknownRows : window.unknownColumns;
    const N* numbers = reinterpret_cast<const N*>(window.numbers.data());
    for (uint32_t i = 0; i < many; ++i) {
        N* strip = out->numbers.data() + static_cast<size_t>(i / unit) * unit * k + i % unit;
        const N* from = alongRows ? numbers + static_cast<size_t>(i) * k : numbers + i;
        const size_t step = alongRows ? 1 : many;
        for (uint32_t j = 0; j < k; ++j) strip[static_cast<size_t>(j) * unit] = from[j * step];
    }
}

/// sums[4][16] += a[k][4] * b[k][16], in the order of k.
template <typename N>
void AddProducts(const N* a, const N* b, uint32_t k, N* sums) {
    using V = typename Lanes8<N>::type;
    V sum[kStripRows][2];
    std::memcpy(sum, sums, sizeof sum);
    for (uint32_t j = 0; j < k; ++j, a += kStripRows, b += kStripColumns) {
        V low, high;
        std::memcpy(&low, b, sizeof low);
        std::memcpy(&high, b + 8, sizeof high);
        for (uint32_t r = 0; r < kStripRows; ++r) {
            sum[r][0] += low * a[r];
            sum[r][1] += high * a[r];
        }
    }
    std::memcpy(sums, sum, sizeof sum);
}

template <typename N>
struct Blocks {
    const MatmulProduct& product;
    const MatmulRange& range;
    const N* start;
    std::vector<N> bias;
    Packed<N> left, right;
    std::vector<N> out;

    N First(uint32_t row, uint32_t column) const {
        if (start != nullptr)
            return start[static_cast<size_t>(row - range.row) * range.columns + column - range.column];
        return product.hasBias ? bias[column - range.column] : N{};
    }

    void Strip(const MatmulRange& block, uint32_t row, uint32_t column) {
        const uint32_t rows = std::min(kStripRows, block.rows - row),
                       columns = std::min(kStripColumns, block.columns - column);
        N sums[kStripRows * kStripColumns] = {};
        for (uint32_t r = 0; r < rows; ++r)
            for (uint32_t c = 0; c < columns; ++c)
                sums[r * kStripColumns + c] = First(block.row + row + r, block.column + column + c);
        AddProducts(left.numbers.data() + static_cast<size_t>(row) * product.k,
                    right.numbers.data() + static_cast<size_t>(column) * product.k, product.k, sums);
        for (uint32_t r = 0; r < rows; ++r)
            std::memcpy(out.data() + static_cast<size_t>(row + r) * block.columns + column, sums + r * kStripColumns,
                        columns * sizeof(N));
    }

    void Run(MatmulSink& sink) {
        for (uint32_t c = 0; c < range.columns; c += kBlockColumns) {
            MatmulRange block{0, 0, range.column + c, std::min(kBlockColumns, range.columns - c)};
            Pack(product.right, product.right.transposed, block.column, block.columns, product.k, kStripColumns,
                 &right);
            for (uint32_t r = 0; r < range.rows; r += kBlockRows) {
                block.row = range.row + r;
                block.rows = std::min(kBlockRows, range.rows - r);
                Pack(product.left, !product.left.transposed, block.row, block.rows, product.k, kStripRows, &left);
                out.resize(static_cast<size_t>(block.rows) * block.columns);
                for (uint32_t column = 0; column < block.columns; column += kStripColumns)
                    for (uint32_t row = 0; row < block.rows; row += kStripRows) Strip(block, row, column);
                sink.take(block, reinterpret_cast<const uint8_t*>(out.data()), left.unknown.data(),
                          right.unknown.data());
            }
        }
    }
};

template <typename N>
void Run(const MatmulProduct& product, const MatmulRange& range, const uint8_t* start, MatmulSink& sink) {
    Blocks<N> blocks{product, range, reinterpret_cast<const N*>(start), {}, {}, {}, {}};
    if (product.hasBias) {
        Window window;
        Read(product.bias, {0, 1, range.column, range.columns}, &window);
        blocks.bias.resize(range.columns);
        std::memcpy(blocks.bias.data(), window.numbers.data(), window.numbers.size());
    }
    blocks.Run(sink);
}

}  // namespace

std::vector<MatrixArea> AreasOf(const MatrixView& view, const MatrixWindow& w) {
    if (!view.columns)
        return {{view.data + PlaceOf(view, w.row, w.column), BytesOf(view.type, w.columns),
                 BytesOf(view.type, view.width), w.rows}};
    const uint32_t c0 = ColumnWidth(view);
    std::vector<MatrixArea> areas;
    for (uint32_t c = w.column / c0 * c0; c < w.column + w.columns; c += c0)
        areas.push_back({view.data + PlaceOf(view, w.row, c), w.rows * 32ull, w.rows * 32ull, 1});
    return areas;
}

void Multiply(const MatmulProduct& product, const MatmulRange& range, const uint8_t* start, MatmulSink& sink) {
    // Products of int8_t wrap like the hardware's; unsigned numbers may.
    if (product.left.type == Type::kInt8 || product.left.type == Type::kInt4)
        Run<uint32_t>(product, range, start, sink);
    else Run<float>(product, range, start, sink);
}

void CutAlongK(MatmulProduct& p, uint32_t first, uint32_t many) {
    if (p.left.columns || p.right.columns || p.left.type == Type::kInt4)
        Broken("not-covered", "", "isPartialOutput with matrices in NZ or of int4b_t", "set matrices in ND");
    const auto cut = [&](MatrixView& view, bool alongRow) {
        const uint64_t bytes = static_cast<uint64_t>(first) * (alongRow ? 1 : view.width) * TypeBytes(view.type);
        view.data += bytes;
        if (view.known != nullptr) view.known += bytes;
    };
    cut(p.left, !p.left.transposed);
    cut(p.right, p.right.transposed);
    p.k = many;
    if (first > 0) p.hasBias = false;
}

Batches BatchesOf(LayoutMode layout, const LayoutAxes& axes, uint64_t height, uint64_t width, uint64_t stride) {
    if (layout != LayoutMode::BSNGD && layout != LayoutMode::SBNGD)
        return {width, 1, 0, stride != 0 ? stride : height * width};
    if (stride != 0 || axes.b <= 0 || axes.s <= 0 || axes.n <= 0 || axes.g <= 0 || axes.d <= 0) {
        Broken("matmul-tiling", "tiling",
               Text("%s of a layout with axes, and the tiling has %d, %d, %d, %d, %d of it, or a stride is given",
                    core().account.api, axes.b, axes.s, axes.n, axes.g, axes.d),
               "let the host call SetALayout, SetBLayout and SetCLayout, and leave out matrixStride");
    }
    const uint64_t side = static_cast<uint64_t>(axes.d), heads = static_cast<uint64_t>(axes.n) * axes.g;
    if (layout == LayoutMode::SBNGD) return {heads * axes.b * side, heads * axes.b, side, 0};
    return {heads * side, heads, side, heads * side * axes.s};
}

}  // namespace twin
