// One calculation of a Matmul object: what it multiplies, where the result goes, and what it holds until someone waits.
#ifndef TWIN_DEVICE_MATMUL_CALCULATION_H
#define TWIN_DEVICE_MATMUL_CALCULATION_H

#include "matmul.h"

namespace twin {

inline uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }
inline uint32_t Tiles(int32_t whole, int32_t base) { return static_cast<uint32_t>((whole + base - 1) / base); }
inline bool IsNarrow(Type type) { return type == Type::kInt8 || type == Type::kInt4; }
inline MatmulRange Whole(const MatmulProduct& p) { return {0, p.m, 0, p.n}; }
inline uint32_t TileCount(const MatmulState& s) { return Tiles(s.m, s.tiling.baseM) * Tiles(s.n, s.tiling.baseN); }
/// Tiles that Iterate gives for each of C.
inline uint32_t Slices(const MatmulState& s) { return s.kind->partialOutput ? Tiles(s.k, s.tiling.baseK) : 1; }

void RequireReady(const MatmulState& s);
/// Before a calculation: A and B, the bias that the tiling promises, and scales for narrow results are set.
void RequireInputs(const MatmulState& s);
/// A tensor in local memory has the rows of this calculation; one in GM those of the whole matrix.
MatmulProduct ProductOf(MatmulState& s);
/// The part of C that is tile number `tile`, in the tiling's order.
MatmulRange TileOf(const MatmulState& s, uint32_t tile);
MatmulTarget TargetOf(MatmulState& s, const MatmulResult& result, const MatmulRange& tile);
/// The areas of an asynchronous calculation are its own until someone waits for it or for a later one: a core's come
/// one after another.
uint32_t Start(const MatmulProduct& p, const MatmulTarget& target, const MatmulRange& range, bool sync);
void Calculate(MatmulState& s, const MatmulProduct& p, const MatmulTarget& target);
/// What came to UB by a copy, the vector unit may use: the copy waits for itself.
void AfterCopyToLocal(const MatmulResult& result);
void BeginResult(const char* api, const MatmulResult& result, bool sync);
void CheckAtomic(const MatmulResult& result);
/// With IBSHARE of A and B the cube core takes what the first vector core of its block calls (Matmul使用说明.md).
bool IsOtherMaster(const MatmulState& s);

/// Values go where they belong as they are calculated.
struct ToTarget : MatmulSink {
    explicit ToTarget(const MatmulTarget& t) : target(t) {}
    const MatmulTarget& target;
    void take(const MatmulRange& range, const uint8_t* values, const uint8_t* rows, const uint8_t* columns) override {
        Store(target, range, values, rows, columns);
    }
};

}  // namespace twin

#endif
