// Tilings of the host's Matmul: how cores, base blocks and L1 are chosen, and which are refused.
#include "matmul_kernels.h"

#include "matmul_tilings.h"

namespace {

void Cores() {
    const auto split = [](const MatmulShape& s, int32_t cores, const std::vector<int32_t>& base = {-1, -1, -1}) {
        tiles::MultiCoreMatmulTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
        Describe<half, float>(api, s);
        api.SetShape(-1, -1, s.k);
        api.SetFixSplit(base[0], base[1], base[2]);
        api.SetDim(cores);
        return Told(api, s);
    };
    const TCubeTiling square = split({512, 512, 128}, 2);
    Expect("two cores share rows", square.singleCoreM == 256 && square.singleCoreN == 512,
           std::to_string(square.singleCoreM));
    const TCubeTiling narrow = split({512, 128, 128}, 2, {128, 64, 128});
    Expect("two cores share columns where blocks of A are the larger",
           narrow.singleCoreM == 512 && narrow.singleCoreN == 64, std::to_string(narrow.singleCoreM));
    const TCubeTiling loads = split({1024, 512, 64}, 4);
    Expect("pieces that load least, of equal size", loads.singleCoreM == 512 && loads.singleCoreN == 256,
           std::to_string(loads.singleCoreM));
    const TCubeTiling wide = split({640, 1024, 512}, 48);
    const bool equal = 640 % wide.singleCoreM == 0 && 1024 % wide.singleCoreN == 0;
    const bool equalBlocks = wide.singleCoreM % wide.baseM == 0 && wide.singleCoreN % wide.baseN == 0;
    Expect("pieces leave no shorter last one", equal && equalBlocks && wide.usedCoreNum > 24,
           std::to_string(wide.singleCoreM) + " x " + std::to_string(wide.singleCoreN));
    const TCubeTiling prime = split({17 * 16, 16, 64}, 4);
    Expect("but where that takes one core for four", prime.usedCoreNum == 4, std::to_string(prime.usedCoreNum));
}

void Bases() {
    Seen("a block of 128 x 256", Base({1024, 1024, 1024}), "128 256 64");
    Seen("256 rows of a narrow C", Base({2048, 64, 64}), "256 64 64");
    Seen("not of one of 80 columns", Base({2048, 80, 64}), "128 80 64");
    Seen("equal blocks, when they are no more", Base({160, 320, 16}), "80 160 16");
    Seen("unequal ones, when they are fewer", Base({1680, 176, 16}), "128 176 16");
    const auto floats = [](bool transposeA, bool transposeB) {
        return OneCore<float, float>({128, 256, 24, transposeA, transposeB}).baseK;
    };
    Expect("8 elements of float along k, both in rows of k", floats(false, true) == 24);
    Expect("16 of float elsewhere", floats(false, false) == 32 && floats(true, true) == 32);
    Seen("L1 for one block of A alone makes baseK smaller", InTscm({32, 64, 128}, false, 2048), "32 64 32: 1 1 1 1");
    tiles::MatmulApiTiling sparse(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<int8_t, int32_t>(sparse, {28, 784, 16, false, true});
    Expect("64 of a sparse B", sparse.SetSparse(true) == 0 && Told(sparse, {28, 784, 16}).baseK == 64);
}

/// stepM, stepN, stepKa, stepKb and how many times A and B are in L1.
void Memory() {
    Seen("both matrices whole", Steps({2048, 64, 64}), "8 1 1 1, 1 1");
    Seen("B whole and A twice", Steps({102400, 32, 128}), "3 1 2 2, 2 1");
    Seen("A whole and B twice", Steps({32, 102400, 128}), "1 3 2 2, 1 2");
    Seen("along k whole, more columns of B for blocks by rows", Steps({4096, 4096, 96}), "1 3 2 2, 2 2");
    Seen("more rows of A, by columns", Steps({4096, 4096, 96}, tiles::MatrixTraverse::FIRSTN), "5 1 2 2, 2 2");
    Seen("equal parts of k", Steps({4096, 4096, 4096}), "1 1 5 5, 2 2");
    Seen("A in TSCM takes L1 of its own", InTscm({2048, 20480, 64}, true, -1), "128 256 64: 16 3 1 1");
    tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<int8_t, half>(api, {32, 16, 32});
    const int32_t plain = Told(api, {32, 16, 32}).shareL1Size;
    api.EnableBias(true);
    const int32_t bias = Told(api, {32, 16, 32}).shareL1Size;
    api.SetDequantType(tiles::DequantType::TENSOR);
    Expect("rows of B in whole 32 bytes, 4 bytes of bias and 8 of scale a column",
           plain == 32 * 32 * 2 && bias == plain + 64 && Told(api, {32, 16, 32}).shareL1Size == bias + 128,
           std::to_string(plain));
}

void Schedules() {
    using tiles::MatrixTraverse;
    using tiles::ScheduleType;
    const auto outer = [](int32_t k, int32_t type, int32_t batch) {
        tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
        Describe<half, float>(api, {512, 512, k});
        api.SetMatmulConfigParams(type, false, ScheduleType::OUTER_PRODUCT, MatrixTraverse::FIRSTN);
        if (batch > 0) api.SetBatchInfoForNormal(batch, batch, 512, 512, k);
        if (batch > 0) api.SetBatchNum(batch);
        TCubeTiling t;
        if (api.GetTiling(t) == -1) return std::string("refused");
        Expect("two of its blocks are in L0C", 8 * t.baseM * t.baseN <= 128 * 1024 && t.dbL0C == 2);
        return std::string(t.iterateOrder == 1 ? "by columns" : "by rows");
    };
    Seen("outer product of one block along k", outer(64, 1, 0), "by columns");
    Seen("of more, with MDL", outer(512, 1, 0), "refused");
    Seen("of more, with Norm", outer(512, 0, 0), "by columns");
    Seen("of more, with Norm and batches", outer(512, 0, 2), "refused");
    const auto batched = [](bool normal) {
        tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
        Describe<half, float>(api, {256, 256, 256});
        normal ? api.SetBatchInfoForNormal(4, 4, 256, 256, 256) : api.SetALayout(4, 256, 1, 1, 256);
        api.SetBatchNum(4);
        TCubeTiling t;
        return api.GetTiling(t);
    };
    Expect("batches above L1, in NORMAL alone", batched(true) != -1 && batched(false) == -1);
}

void NBuffer33() {
    Seen("L0A, L0B and L0C cut a block", NBuffer({160, 160, 320}), "80 144 112: 2 1 3 3, 1 1");
    Seen("rows in three blocks", NBuffer({800, 2048, 64}), "272 112 32: 3 5 2 2, 1 2");
    Seen("fixed, with one buffer of B", NBuffer({384, 512, 192}, {128, 256, 64}), "128 256 64: 3 1 3 3, 1 1");
    Seen("more columns of B at a time", NBuffer({32, 1024, 32}), "32 256 32: 1 2 1 1, 1 2");
    Seen("four blocks of a fixed size", NBuffer({384, 512, 192}, {96, -1, -1}), "refused");
    Seen("thirds above L0A", NBuffer({1024, 512, 512}), "refused");
    const std::string divided = NBuffer({384, 512, 192}, {-1, -1, -1}, 24, true);
    Seen("several cores divide k when they may", divided, "128 256 32: 3 1 3 3, 1 1, 384 256 96 on 4");
    Seen("and else do not", NBuffer({384, 512, 192}, {-1, -1, -1}, 24), "refused");
    const std::string few = NBuffer({2048, 512, 32}, {-1, -1, -1}, 4);
    Seen("few cores have larger blocks", few, "176 176 32: 3 1 1 1, 1 2, 512 512 32 on 4");
    const std::string deep = NBuffer({394, 512, 768}, {-1, -1, -1}, 4, true);
    Seen("and larger parts of k, as much of n as L1 has beside them", deep,
         "112 112 128: 2 1 3 3, 1 1, 208 512 384 on 4");
    Seen("unless their thirds are above L0A", NBuffer({4096, 512, 1024}, {-1, -1, -1}, 4, true), "refused");
}

}  // namespace

int main() {
    Cores();
    Bases();
    Memory();
    Schedules();
    NBuffer33();
    EveryShape();
    return Finish();
}
