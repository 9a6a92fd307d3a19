// Limits of the high-level Matmul: a tiling that fits the memories of the cube core, matrices inside theirs, and
// calculations in flight.
#include <algorithm>

#include "matmul.h"

namespace twin {

namespace {

/// L1 of a cube core; the end of it is the library's own.
constexpr int64_t kL1Bytes = 512 * 1024;
constexpr int64_t kL0Bytes = 64 * 1024, kL0cBytes = 128 * 1024, kBiasTableBytes = 1024;
/// A row that one copy to L1 takes.
constexpr uint32_t kLongestRow = 65535;

[[noreturn]] void BadTiling(const std::string& message) {
    Broken("matmul-tiling", "tiling", message,
           "take the tiling from GetTiling of matmul_tiling, and check that it did not return -1 and that host and "
           "kernel use one structure");
}

void CheckPositive(const TCubeTiling& t) {
    const std::pair<const char*, int32_t> fields[] = {{"usedCoreNum", t.usedCoreNum},
                                                      {"M", t.M},
                                                      {"N", t.N},
                                                      {"Ka", t.Ka},
                                                      {"Kb", t.Kb},
                                                      {"singleCoreM", t.singleCoreM},
                                                      {"singleCoreN", t.singleCoreN},
                                                      {"singleCoreK", t.singleCoreK},
                                                      {"baseM", t.baseM},
                                                      {"baseN", t.baseN},
                                                      {"baseK", t.baseK},
                                                      {"depthA1", t.depthA1},
                                                      {"depthB1", t.depthB1},
                                                      {"stepM", t.stepM},
                                                      {"stepN", t.stepN},
                                                      {"stepKa", t.stepKa},
                                                      {"stepKb", t.stepKb},
                                                      {"dbL0A", t.dbL0A},
                                                      {"dbL0B", t.dbL0B},
                                                      {"dbL0C", t.dbL0C}};
    for (const auto& [name, value] : fields)
        if (value <= 0) BadTiling(Text("%s of the tiling is %d", name, value));
}

void CheckFits(const char* memory, int64_t bytes, int64_t capacity, const TCubeTiling& t) {
    if (bytes <= capacity) return;
    BadTiling(
        Text("the tiling wants %lld bytes of %s, which has %lld: baseM %d, baseN %d, baseK %d, depthA1 %d, depthB1 %d",
             static_cast<long long>(bytes), memory, static_cast<long long>(capacity), t.baseM, t.baseN, t.baseK,
             t.depthA1, t.depthB1));
}

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

void CheckArea(const std::vector<MatrixArea>& areas, uint32_t elementBytes, const char* operand) {
    for (const MatrixArea& area : areas) {
        for (uint32_t r = 0; r < area.rows; ++r) {
            GmRead(GmCheck(area.base + r * area.stride, area.rowBytes, elementBytes, Access::kRead, operand),
                   area.rowBytes);
        }
    }
}

void CheckMatrix(const MatmulState& s, const char* operand, const MatmulOperandKind& kind, const MatrixView& view,
                 uint32_t copied, uint32_t rows, uint32_t columns) {
    if (view.scalar) return;
    const uint32_t high = view.transposed ? columns : rows, wide = view.transposed ? rows : columns;
    if (wide > view.width || (view.columns && high > view.height)) {
        Broken("matmul-shape", "",
               Text("%s of %s is %u x %u in memory, and %u x %u of it are calculated", operand, core().account.api,
                    view.height, view.width, high, wide),
               "SetSingleShape or SetTail at most what the tiling or SetOrgShape says of the whole matrix");
    }
    if (kind.format == CubeFormat::VECTOR && rows != 1)
        Broken("matmul-shape", "", Text("%s has the format VECTOR and %u rows", operand, rows), "a vector has one row");
    if (view.columns &&
        (view.height % 16 != 0 || view.width % (view.type == Type::kInt4 ? 64 : 32 / TypeBytes(view.type)) != 0)) {
        Broken("matmul-shape", "",
               Text("%s in NZ is %u x %u; rows come in 16 and columns in 32 bytes", operand, view.height, view.width),
               "pad the matrix");
    }
    if (view.global && !view.columns && view.width > kLongestRow && !s.kind->longRows) {
        Broken("matmul-shape", "",
               Text("rows of %s have %u elements; one copy takes at most %u", operand, view.width, kLongestRow),
               "use a MatmulConfig with intrinsicsCheck, GetNormalConfig(true)");
    }
    if (view.type == Type::kInt4 && view.width % 2 != 0) {
        Broken("matmul-shape", "",
               Text("rows of %s have %u elements of int4b_t, and a row begins at a whole byte", operand, view.width),
               "give rows of even length");
    }
    const uint32_t size = TypeBytes(view.type);
    if (view.global) return CheckArea(AreasOf(view, {0, high, 0, wide}), size, operand);
    const uint64_t need =
        view.columns ? BytesOf(view.type, static_cast<uint64_t>(Up(wide, view.type == Type::kInt4 ? 64 : 32 / size)) *
                                              Up(view.height, 16))
                     : BytesOf(view.type, static_cast<uint64_t>(high - 1) * view.width + wide);
    if (copied < need) {
        Broken("out-of-buffer", "",
               Text("%s of %s needs %llu bytes and its tensor had %u when it was set", operand, core().account.api,
                    static_cast<unsigned long long>(need), copied),
               "set a tensor of the whole matrix, in multiples of 32 bytes");
    }
}

}  // namespace

void CheckTiling(const MatmulKind& kind, const TCubeTiling& t) {
    CheckPositive(t);
    const bool halfBytes = kind.a.type == Type::kInt4;
    const int64_t size = TypeBytes(kind.a.type), c0 = halfBytes ? 64 : 32 / size;
    const auto bytes = [&](int64_t elements) { return halfBytes ? elements / 2 : elements * size; };
    if (t.baseM % 16 != 0 || t.baseN % 16 != 0 || t.baseK % std::min<int64_t>(c0, 16) != 0)
        BadTiling(Text("baseM %d, baseN %d, baseK %d of the tiling are no multiples of 16, 16 and %lld", t.baseM,
                       t.baseN, t.baseK, static_cast<long long>(std::min<int64_t>(c0, 16))));
    CheckFits("L0A", bytes(static_cast<int64_t>(t.baseM) * t.baseK * t.dbL0A), kL0Bytes, t);
    CheckFits("L0B", bytes(static_cast<int64_t>(t.baseN) * t.baseK * t.dbL0B), kL0Bytes, t);
    CheckFits("L0C", 4ll * t.baseM * t.baseN * t.dbL0C, kL0cBytes, t);
    if (t.isBias != 0) CheckFits("the bias table", 4ll * t.baseN, kBiasTableBytes, t);
    if (t.depthA1 % (t.stepM * t.stepKa) != 0 || t.depthB1 % (t.stepN * t.stepKb) != 0) {
        BadTiling(Text(
            "depthA1 %d and depthB1 %d of the tiling are no multiples of stepM * stepKa = %d and stepN * stepKb = %d",
            t.depthA1, t.depthB1, t.stepM * t.stepKa, t.stepN * t.stepKb));
    }
    const int64_t bias = t.isBias != 0 ? 4ll * t.baseN : 0;
    CheckFits(
        "L1",
        bytes(t.baseK * (static_cast<int64_t>(t.baseM) * t.depthA1 + static_cast<int64_t>(t.baseN) * t.depthB1)) + bias,
        kL1Bytes, t);
}

void CheckOperands(const MatmulState& state, const MatmulProduct& p) {
    MatmulScratch& scratch = const_cast<MatmulState&>(state).scratch.get();
    const auto copied = [&](int operand) { return static_cast<uint32_t>(scratch.operands[operand].bytes.size()); };
    CheckMatrix(state, "A", state.kind->a, p.left, copied(0), p.m, p.k);
    CheckMatrix(state, "B", state.kind->b, p.right, copied(1), p.k, p.n);
    if (p.hasBias)
        CheckMatrix(state, "bias", {p.bias.type, TPosition::GM, CubeFormat::ND, false, LayoutMode::NONE}, p.bias,
                    copied(2), 1, p.n);
    if (p.left.scalar && p.m != 1)
        Broken("matmul-shape", "", Text("A is a scalar, which stands for one row, and %u rows are calculated", p.m),
               "calculate with M of 1");
}

void CheckInFlight(const uint8_t* address, uint64_t bytes, Access access) {
    const Core& c = core();
    for (const InFlight& area : c.matmul.inFlight) {
        if (!area.written && access == Access::kRead) continue;
        const uint8_t* end = address + bytes;
        if (end <= area.base) continue;
        // The first row that ends behind the address.
        const uint64_t row =
            address < area.base + area.rowBytes
                ? 0
                : (static_cast<uint64_t>(address - area.base) - area.rowBytes) / std::max<uint64_t>(area.stride, 1) + 1;
        if (row >= area.rows || area.base + row * area.stride >= end) continue;
        Suspect("gm-race", "",
                Text("%s %s memory that an asynchronous calculation of Matmul %s", c.account.api,
                     access == Access::kRead ? "reads" : "writes", area.written ? "still writes" : "still reads"),
                "call WaitIterateAll before, or calculate synchronously");
    }
}

}  // namespace twin
