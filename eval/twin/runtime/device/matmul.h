// What the parts of the high-level Matmul share.
#ifndef TWIN_DEVICE_MATMUL_H
#define TWIN_DEVICE_MATMUL_H

#include <deque>

#include "core.h"
#include "twin/matmul_state.h"

namespace twin {

/// A tensor as it was when it was set: on its way to the cube core a tensor in UB is copied at once.
struct MatmulCopy {
    std::vector<uint8_t> bytes, known;
};
struct MatmulScratch {
    MatmulCopy operands[4];                            // by MatmulOperand
    std::vector<uint8_t> tile;                         // numbers of 4 bytes that Iterate calculated, in rows
    std::vector<uint8_t> unknownRows, unknownColumns;  // of the tile: calculated from values that nobody wrote
    std::deque<uint32_t> announced;  // numbers of asynchronous calculations that someone will wait for
};

/// A matrix in memory: `height` rows of `width` elements, or columns of 32 bytes of them.
struct MatrixView {
    const uint8_t* data = nullptr;
    const uint8_t* known = nullptr;  // by byte; null: all of it
    bool global = false;
    bool scalar = false;
    bool transposed = false;
    bool columns = false;  // NZ
    Type type = Type::kFloat;
    uint32_t height = 0, width = 0;
    float value = 0;
};
/// Rows of bytes, `stride` apart.
struct MatrixArea {
    const uint8_t* base;
    uint64_t rowBytes, stride;
    uint32_t rows;
};
/// Part of a matrix: rows and columns as they are in memory.
struct MatrixWindow {
    uint32_t row, rows, column, columns;
};
std::vector<MatrixArea> AreasOf(const MatrixView& view, const MatrixWindow& window);
/// Bytes of as many elements; half a byte each of int4b_t.
inline uint64_t BytesOf(Type type, uint64_t elements) {
    return type == Type::kInt4 ? (elements + 1) / 2 : elements * TypeBytes(type);
}

/// What one calculation multiplies. k counts from 0 in both matrices.
struct MatmulProduct {
    MatrixView left, right, bias;
    bool hasBias = false;
    uint32_t m = 0, n = 0, k = 0;
};
/// Rows and columns of C.
struct MatmulRange {
    uint32_t row, rows, column, columns;
};
/// Takes a piece of C: `values` are range.rows x range.columns numbers of 4 bytes, float or int32_t.
struct MatmulSink {
    virtual void take(const MatmulRange& range, const uint8_t* values, const uint8_t* unknownRows,
                      const uint8_t* unknownColumns) = 0;
    virtual ~MatmulSink() = default;
};
/// `start`: values that the sums begin with, for exactly this range; null: bias or 0.
void Multiply(const MatmulProduct& product, const MatmulRange& range, const uint8_t* start, MatmulSink& sink);

/// Where C goes, and what becomes of its values.
struct MatmulTarget {
    const MatmulResult* result;
    Type type;
    Type numbers;  // float or int32_t
    CubeFormat format;
    uint64_t stride;                 // ND: elements of a row; NZ: rows of a column
    uint32_t firstRow, firstColumn;  // of C, that stand at the start of the destination
    uint64_t offset;                 // elements from the destination's start to there
    bool relu;
    std::vector<uint64_t> scales;  // none, one, or one for each column
    bool channelSplit = false;     // NZ of float in columns of 8
};
void Store(const MatmulTarget& target, const MatmulRange& range, const uint8_t* values, const uint8_t* unknownRows,
           const uint8_t* unknownColumns);
/// Areas in GM that a range of C covers.
std::vector<MatrixArea> AreasOf(const MatmulTarget& target, const MatmulRange& range);

/// On a cube core that has served its vector cores and goes on in the kernel, calls do nothing.
inline bool Serves() { return core().cube && core().matmul.serves; }

/// Where the matrices of a batch stand, in elements: rows `row` apart, `inner` matrices side by side, and then the
/// next.
struct Batches {
    uint64_t row, inner, side, outer;
    uint64_t Start(uint64_t i) const { return i / inner * outer + i % inner * side; }
};
struct LayoutAxes {
    int32_t b, s, n, g, d;
};
Batches BatchesOf(LayoutMode layout, const LayoutAxes& axes, uint64_t height, uint64_t width, uint64_t stride);
/// The product of `many` numbers of k from `first` on; the bias belongs to the first.
void CutAlongK(MatmulProduct& p, uint32_t first, uint32_t many);

void CheckTiling(const MatmulKind& kind, const TCubeTiling& tiling);
/// "matmul-shape", and that A, B and bias lie in their memory.
void CheckOperands(const MatmulState& state, const MatmulProduct& product);

}  // namespace twin

#endif
