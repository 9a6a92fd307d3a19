// Functions in memory of just their operands: what lies beside it stays, and what comes from unwritten values is
// unwritten.
#ifndef TWIN_TEST_ROOMS_H
#define TWIN_TEST_ROOMS_H

#include "pieces.h"
#include "twin/antiquant.h"
#include "twin/dequant.h"
#include "twin/glu.h"
#include "twin/norm.h"
#include "twin/norm_grad.h"
#include "twin/reduce_axes.h"
#include "twin/select_bytes.h"
#include "twin/softmax.h"
#include "twin/softmax_variants.h"
#include "twin/sort.h"
#include "twin/vec_fused_cast.h"

using namespace AscendC;

using twin::Local;
using twin::Type;
constexpr Type H = Type::kHalf, F = Type::kFloat, B = Type::kInt8, I = Type::kInt32, S = Type::kInt16;

inline uint32_t SizeOf(Type type) { return type == F || type == I ? 4 : type == B ? 1 : 2; }

/// Memory of an operand. Values come in rows, `row` bytes from one to the next, of which the first `used` count; row 0:
/// nothing is said of rows. A single row belongs to all.
struct Operand {
    Type type;
    size_t bytes;
    bool output;
    size_t row = 0, used = 0;
    size_t Rows() const { return (bytes + row - 1) / row; }
};
inline Operand In(Type type, size_t count) { return {type, count * SizeOf(type), false}; }
inline Operand Out(Type type, size_t count) { return {type, count * SizeOf(type), true}; }
inline Operand In(Type type, size_t rows, size_t row, size_t used) {
    const size_t size = SizeOf(type);
    return {type, ((rows - 1) * row + used) * size, false, row * size, used * size};
}
inline Operand Out(Type type, size_t rows, size_t row, size_t used) {
    Operand o = In(type, rows, row, used);
    o.output = true;
    return o;
}
/// One value for each row, in a block of its own.
inline Operand BlockIn(Type type, size_t rows) { return {type, rows * 32, false, 32, SizeOf(type)}; }
inline Operand BlockOut(Type type, size_t rows) { return {type, rows * 32, true, 32, 32}; }
inline Operand All(Operand o) {
    o.row = o.used = o.bytes;
    return o;
}

inline std::vector<uint8_t> Filled(const Operand& o) {
    std::vector<uint8_t> bytes(o.bytes);
    for (size_t i = 0; i < o.bytes / SizeOf(o.type); ++i) {
        const float value = 1.0f + static_cast<float>(i * 7 % 5) / 4;
        const half narrow(value);
        const auto number = static_cast<int32_t>(i % 3 + 1);
        const void* from = o.type == F   ? static_cast<const void*>(&value)
                           : o.type == H ? static_cast<const void*>(&narrow)
                                         : &number;
        std::memcpy(bytes.data() + i * SizeOf(o.type), from, SizeOf(o.type));
    }
    return bytes;
}

using Call = std::function<void(const std::vector<Local>&)>;

inline std::string Follow(Pieces& p, const std::vector<Operand>& operands, const Pieces::Kernel& kernel) {
    for (size_t i = 0; i < operands.size(); ++i) {
        const Operand& in = operands[i];
        if (in.output || in.row == 0) continue;
        for (const bool last : {false, true}) {
            const size_t row = in.Rows() - 1, size = SizeOf(in.type), at = row * in.row + (last ? in.used - size : 0);
            p.Unhide();
            p.Hide(i, at, at + size);
            for (size_t o = 0; o < operands.size(); ++o) {
                const Operand& out = operands[o];
                if (!out.output || out.row == 0) continue;
                for (const size_t q : {size_t{0}, out.Rows() - 1})
                    for (const size_t byte : {q * out.row, q * out.row + out.used - 1}) {
                        const bool known = in.Rows() != 1 && out.Rows() != 1 && q != row;
                        if (p.Knows(o, kernel, byte) != (known ? '1' : '0'))
                            return "byte " + std::to_string(byte) + " of operand " + std::to_string(o) + " is " +
                                   (known ? "un" : "") + "written when byte " + std::to_string(at) + " of operand " +
                                   std::to_string(i) + " is unwritten";
                    }
            }
        }
    }
    p.Unhide();
    return "";
}

inline void Room(const std::string& name, const std::vector<Operand>& operands, const Call& call) {
    Pieces p;
    for (const Operand& o : operands) {
        const size_t piece = p.Put(TPosition::VECCALC, Filled(o));
        if (o.output) p.Any(piece);
    }
    const auto kernel = [&](Pieces& u) {
        std::vector<Local> tensors;
        for (size_t i = 0; i < operands.size(); ++i) tensors.push_back(u.At<uint8_t>(i));
        call(tensors);
    };
    const std::string wrong = p.Fits(kernel);
    Expect(name + " takes its operands and no more", wrong.empty(), wrong);
    const std::string unknown = Follow(p, operands, kernel);
    Expect(name + " of values that nobody wrote", unknown.empty(), unknown);
}

/// dst may begin where another operand ends and end where it begins, and nothing between.
inline void Apart(const std::string& name, uint32_t dstBytes, uint32_t otherBytes,
                  const std::function<void(Local, Local, Local)>& call) {
    constexpr uint32_t kOther = 8192;
    const auto rule = [&](uint32_t dst) {
        Pieces p;
        const size_t all = p.Put(TPosition::VECCALC, Filled(In(H, 16384)));
        return p.Rule([&](Pieces& u) {
            const auto memory = u.At<uint8_t>(all);
            call(memory[dst], memory[kOther], memory[0]);
        });
    };
    const std::string seen = rule(kOther - dstBytes) + "," + rule(kOther - dstBytes + 32) + "," +
                             rule(kOther + otherBytes - 32) + "," + rule(kOther + otherBytes);
    Expect(name + " beside and on another operand", seen == ",partial-overlap,partial-overlap,", seen);
}

#endif
