// Tilings for NBuffer33MatmulPolicy (MatmulPolicy.md): A of a core is at most 3 x 3 base blocks, which stay in L1; B
// comes in columns of as many blocks along k, one while the one before is multiplied.
#include "matmul_blocks.h"
#include "twin_host/matmul_tiling.h"

namespace matmul_tiling {

/// The recommended block, grown along m and k until three of it are the whole, and cut along n to what L0 holds; in
/// more blocks along m where L0A needs that.
bool MatmulApiTilingBase::NBufferBase() {
    AscendC::tiling::TCubeTiling& t = result_;
    const int32_t unit = UnitK(), wholeM = Up(t.singleCoreM, 16), wholeK = Up(t.singleCoreK, unit);
    const auto recommended = static_cast<int32_t>(8 * kBaseKBytes / TypeBits());
    const int32_t ownK = std::max(recommended, Up(Pieces(t.singleCoreK, kNBuffer), unit));
    t.baseK = fixedBase_.k > 0 ? fixedBase_.k : std::min(wholeK, ownK);
    const auto inL0a = static_cast<int32_t>(l0aBytes_ / Bytes(t.baseK));
    int32_t blocks = std::min(kNBuffer, Pieces(wholeM, kBaseM));
    while (blocks < kNBuffer && Up(Pieces(wholeM, blocks), 16) > inL0a) ++blocks;
    t.baseM = fixedBase_.m > 0 ? fixedBase_.m : Up(Pieces(wholeM, blocks), 16);
    const int64_t inL0b = l0bBytes_ / Bytes(t.baseK), inL0c = l0cBytes_ / (4ll * t.baseM);
    const auto most = static_cast<int32_t>(std::min({inL0b, inL0c, static_cast<int64_t>(kBaseN)}));
    t.baseN = fixedBase_.n > 0 ? fixedBase_.n : std::min(Up(t.singleCoreN, 16), most / 16 * 16);
    const int64_t a = Bytes(static_cast<int64_t>(t.baseM) * t.baseK),
                  b = Bytes(static_cast<int64_t>(t.baseN) * t.baseK);
    t.dbL0A = 2 * a <= l0aBytes_ ? 2 : 1;
    t.dbL0B = 2 * b <= l0bBytes_ ? 2 : 1;
    return t.baseN > 0 && a <= l0aBytes_ && b <= l0bBytes_ && 4ll * t.baseM * t.baseN <= l0cBytes_;
}

/// baseN is made smaller where L1 cannot hold a column of B beside A.
bool MatmulApiTilingBase::FillNBuffer() {
    AscendC::tiling::TCubeTiling& t = result_;
    const int32_t m = Pieces(t.singleCoreM, t.baseM), k = Pieces(t.singleCoreK, t.baseK);
    if (m > kNBuffer || k > kNBuffer) return false;
    while (!Take({m, k, 1}, {1, k, 1})) {
        if (fixedBase_.n > 0 || t.baseN <= 16) return false;
        t.baseN -= 16;
    }
    for (int32_t step = Pieces(t.singleCoreN, t.baseN) / 2; step >= 1; --step)
        if (Take({m, k, 1}, {step, k, 2})) return true;
    return true;
}

/// Of pieces along m and k in at most these numbers the most that there are cores for, whose thirds L0A holds.
bool MultiCoreMatmulTiling::FewerPieces(int32_t& down, int32_t& deep) const {
    const auto third = [](int32_t whole, int32_t pieces) { return Pieces(Pieces(whole, pieces), kNBuffer); };
    const int32_t mostDown = std::min(down, cores_), mostDeep = deep;
    down = deep = 0;
    for (int32_t rows = mostDown; rows >= 1; --rows) {
        const int32_t parts = std::min(mostDeep, cores_ / rows);
        const int64_t block = static_cast<int64_t>(Up(third(shape_.m, rows), 16)) * Up(third(shape_.k, parts), UnitK());
        if (block * TypeBits() > 8 * l0aBytes_ || rows * parts <= down * deep) continue;
        down = rows;
        deep = parts;
    }
    return down > 0;
}

/// Three blocks along m for each core, and along k where that axis may be divided, or larger ones where cores are few;
/// as many cores along n as have a block of it.
bool MultiCoreMatmulTiling::SplitForNBuffer() {
    AscendC::tiling::TCubeTiling& t = result_;
    const auto base = [](int32_t fixed, int32_t recommended) { return fixed > 0 ? fixed : recommended; };
    const int32_t baseM = base(fixedBase_.m, kBaseM), baseN = base(fixedBase_.n, kBaseN);
    const int32_t baseK = base(fixedBase_.k, static_cast<int32_t>(8 * kBaseKBytes / TypeBits()));
    int32_t down = Pieces(shape_.m, kNBuffer * baseM), deep = Pieces(shape_.k, kNBuffer * baseK);
    if (deep > 1 && !splitK_) return false;
    if (down * deep > cores_ && !FewerPieces(down, deep)) return false;
    const int32_t across = std::max(1, std::min(shape_.n / baseN, cores_ / (down * deep)));
    t.singleCoreM = Piece(shape_.m, down, -1, -1, 16);
    t.singleCoreN = Piece(shape_.n, across, -1, -1, 16);
    t.singleCoreK = Piece(shape_.k, deep, -1, -1, UnitK());
    t.usedCoreNum = Pieces(shape_.m, t.singleCoreM) * Pieces(shape_.n, t.singleCoreN) * Pieces(shape_.k, t.singleCoreK);
    return true;
}

}  // namespace matmul_tiling
