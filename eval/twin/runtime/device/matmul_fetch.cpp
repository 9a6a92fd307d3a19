// Matrices that functions of the kernel's own copy to L1, block by block (MatmulCallBackFunc.md). The library's blocks
// stand in L1 in turn; here each has the same place, at the end of L1, and what came there is taken before the next.
#include <algorithm>
#include <cstring>

#include "matmul.h"

namespace twin {

namespace {

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

/// A or B of the calculation that comes, in its own directions: rows and columns, and those of one block.
struct Cut {
    uint32_t rows, columns, blockRows, blockColumns;
};

Cut CutOf(const MatmulState& s, MatmulOperand operand) {
    const TCubeTiling& t = s.tiling;
    const auto many = [&](int32_t steps) { return static_cast<uint32_t>(s.kind->manyBlocks ? steps : 1); };
    const auto m = static_cast<uint32_t>(s.m), n = static_cast<uint32_t>(s.n), k = static_cast<uint32_t>(s.k);
    const auto baseM = static_cast<uint32_t>(t.baseM), baseN = static_cast<uint32_t>(t.baseN),
               baseK = static_cast<uint32_t>(t.baseK);
    if (operand == MatmulOperand::kLeft)
        return {m, k, std::min(m, baseM * many(t.stepM)), std::min(k, baseK * many(t.stepKa))};
    return {k, n, std::min(k, baseK * many(t.stepKb)), std::min(n, baseN * many(t.stepN))};
}

const MatmulOperandKind& KindOf(const MatmulState& s, MatmulOperand operand) {
    return operand == MatmulOperand::kLeft ? s.kind->a : s.kind->b;
}

/// Bytes of a block in L1, in columns of 32 bytes.
uint32_t BytesInL1(Type type, bool transposed, uint32_t rows, uint32_t columns) {
    const uint32_t high = transposed ? columns : rows, wide = transposed ? rows : columns, c0 = 32 / TypeBytes(type);
    return Up(high, 16) * Up(wide, c0) * TypeBytes(type);
}

Local PlaceInL1(const MatmulState& s, MatmulOperand operand) {
    const Core& c = core();
    uint32_t end = kSpace[kL1].bytes, bytes = 0;
    for (const MatmulOperand one : {MatmulOperand::kLeft, MatmulOperand::kRight}) {
        const Cut cut = CutOf(s, one);
        const bool transposed = one == MatmulOperand::kLeft ? s.a.transposed : s.b.transposed;
        bytes = Up(BytesInL1(KindOf(s, one).type, transposed, cut.blockRows, cut.blockColumns), kBlockBytes);
        if (bytes > end - std::min(end, c.memory.top[kL1])) {
            Broken("local-overflow", "",
                   Text("%s copies blocks of %u bytes to L1, and InitBuffer has given out %u of %u", c.account.api,
                        bytes, c.memory.top[kL1], kSpace[kL1].bytes),
                   "leave L1 to Matmul, or take a smaller tiling");
        }
        end -= bytes;
        if (one == operand) break;
    }
    Local place;
    place.data = c.memory.ub + kSpace[kL1].begin + end;
    place.bytes = bytes;
    place.position = TPosition::A1;
    return place;
}

}  // namespace

void MatmulDefines(const char* api, const MatmulState& s) {
    if (Serves()) return;
    Begin(api, PIPE_S);
    if (s.fresh)
        Suspect("matmul-order", "", Text("%s after SetTensorA or SetTensorB", api),
                "call it before both (SetSelfDefineData.md)");
}

bool MatmulNextPiece(MatmulState& s, MatmulOperand operand, uint32_t number, MatmulPiece* piece) {
    if (Serves() || !s.tiled || !s.fresh) return false;
    MatmulInput& input = operand == MatmulOperand::kLeft ? s.a : s.b;
    if (input.where == MatmulInput::kUnset) return false;
    Core& c = core();
    const char* const api = operand == MatmulOperand::kLeft ? "CopyA1" : "CopyB1";
    if (number == 0) {
        Begin(api, PIPE_S);
        if (!c.cube)
            Broken("not-covered", "", Text("%s of the kernel's own, called for a vector core", api),
                   "define ASCENDC_CUBE_ONLY before lib/matmul_intf.h is included, and call Matmul on the cube core");
        if (input.where != MatmulInput::kGlobal && input.where != MatmulInput::kFetched)
            Broken("matmul-order", "", Text("%s of a matrix that is not in GM", api),
                   "set a GlobalTensor: the function copies from GM to L1");
        if (KindOf(s, operand).type == Type::kInt4)
            Broken("not-covered", "", Text("%s of int4b_t", api), "copy another type");
        const Cut cut = CutOf(s, operand);
        const uint64_t bytes = static_cast<uint64_t>(cut.rows) * cut.columns * TypeBytes(KindOf(s, operand).type);
        MatmulCopy& copy = s.scratch.get().operands[static_cast<int>(operand)];
        copy.bytes.assign(bytes, 0);
        copy.known.assign(bytes, 0);
        input.where = MatmulInput::kFetched;
    }
    // A by rows of blocks along k; B by columns of blocks along k.
    const Cut cut = CutOf(s, operand);
    const uint32_t down = (cut.rows + cut.blockRows - 1) / cut.blockRows,
                   across = (cut.columns + cut.blockColumns - 1) / cut.blockColumns;
    if (number >= down * across) return false;
    const bool left = operand == MatmulOperand::kLeft;
    const uint32_t row = left ? number / across : number % down, column = left ? number % across : number / down;
    piece->l1 = PlaceInL1(s, operand);
    piece->row = static_cast<int32_t>(row);
    piece->column = static_cast<int32_t>(column);
    piece->rows = static_cast<int32_t>(std::min(cut.blockRows, cut.rows - row * cut.blockRows));
    piece->columns = static_cast<int32_t>(std::min(cut.blockColumns, cut.columns - column * cut.blockColumns));
    // The library hands the memory over by events of its own.
    Join(PIPE_MTE2, Snapshot(PIPE_MTE1));
    return true;
}

void MatmulTakePiece(MatmulState& s, MatmulOperand operand, const MatmulPiece& piece) {
    Core& c = core();
    Join(PIPE_MTE1, Snapshot(PIPE_MTE2));
    Begin(operand == MatmulOperand::kLeft ? "CopyA1" : "CopyB1", PIPE_MTE1);
    const bool transposed = operand == MatmulOperand::kLeft ? s.a.transposed : s.b.transposed;
    const Type type = KindOf(s, operand).type;
    const Cut cut = CutOf(s, operand);
    const auto rows = static_cast<uint32_t>(transposed ? piece.columns : piece.rows),
               columns = static_cast<uint32_t>(transposed ? piece.rows : piece.columns);
    const uint32_t size = TypeBytes(type), c0 = 32 / size, high = Up(rows, 16);
    const uint32_t firstRow =
        static_cast<uint32_t>(transposed ? piece.column : piece.row) * (transposed ? cut.blockColumns : cut.blockRows);
    const uint32_t firstColumn =
        static_cast<uint32_t>(transposed ? piece.row : piece.column) * (transposed ? cut.blockRows : cut.blockColumns);
    const uint32_t width = transposed ? cut.rows : cut.columns;
    const uint32_t from =
        Touch(piece.l1, "the block in L1", 0, BytesInL1(type, false, rows, columns), PIPE_MTE1, Access::kRead);
    MatmulCopy& copy = s.scratch.get().operands[static_cast<int>(operand)];
    for (uint32_t r = 0; r < rows; ++r) {
        for (uint32_t column = 0; column < columns; column += c0) {
            const uint32_t at = from + (column * high + r * c0) * size, bytes = std::min(c0, columns - column) * size;
            const uint64_t to = (static_cast<uint64_t>(firstRow + r) * width + firstColumn + column) * size;
            std::memcpy(copy.bytes.data() + to, c.memory.ub + at, bytes);
            std::memcpy(copy.known.data() + to, c.memory.defined.data() + at, bytes);
        }
    }
}

}  // namespace twin
