// Size queries and tilings of the SoftMax family on the host.
#include "../runtime/host/library_tiling.cpp"
#include "../runtime/host/registry.cpp"
#include "expect.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(Rows)
TILING_DATA_FIELD_DEF(uint32_t, first);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 2, pair);
END_TILING_DATA_DEF;
}  // namespace optiling

/// A structure bound to the buffer: what its setters and those of its parts are told is there without SaveToBuffer.
void WritesThrough() {
    optiling::Rows rows;
    std::vector<uint8_t> buffer(rows.GetDataSize());
    rows.set_first(3);
    rows.SetDataPtr(buffer.data());
    rows.softmax.set_srcK(64);
    const uint16_t pair[] = {5, 6};
    rows.set_pair(pair);
    uint32_t first = 0, columns = 0;
    uint16_t last = 0;
    std::memcpy(&first, buffer.data(), 4);
    std::memcpy(&columns, buffer.data() + 8 + 4, 4);
    std::memcpy(&last, buffer.data() + 8 + 64 + 2, 2);
    Expect("a structure with SetDataPtr writes to the buffer as it is set", first == 3 && columns == 64 && last == 6,
           std::to_string(first) + " " + std::to_string(columns) + " " + std::to_string(last));
}

int main() {
    WritesThrough();
    const ge::Shape shape(std::vector<int64_t>{3, 10, 64});
    Expect("SoftMax wants a row of columns, one block and 64 floats for each row at most",
           AscendC::GetSoftMaxMaxTmpSize(shape, 4, false) == 30 * (64 + 8 + 64) * 4);
    Expect("and for one row at least", AscendC::GetSoftMaxMinTmpSize(shape, 2, false) == (64 + 16 + 64) * 4);
    Expect("SoftmaxGrad of half wants three rows and two blocks",
           AscendC::GetSoftMaxGradMinTmpSize(shape, 2, false, false) == (3 * 64 + 32 + 64) * 4);
    AscendC::tiling::SoftMaxTiling tiling;
    AscendC::SoftMaxTilingFunc(shape, 4, 20 * 136 * 4, tiling);
    Expect("a step takes the rows that the workspace holds, in eights",
           tiling.srcM == 30 && tiling.srcK == 64 && tiling.splitM == 16 && tiling.rangeM == 1 && tiling.tailM == 14,
           std::to_string(tiling.splitM) + " rows, " + std::to_string(tiling.tailM) + " left");
    AscendC::SoftMaxTilingFunc(ge::Shape(std::vector<int64_t>{48, 64}), 4, 20 * 136 * 4, tiling);
    Expect("rows in eights of whole repeats are divided evenly",
           tiling.splitM == 16 && tiling.rangeM == 3 && tiling.tailM == 0, std::to_string(tiling.splitM));
    Expect("such a matrix is a basic block",
           AscendC::IsBasicBlockInSoftMax(tiling, 4) && !AscendC::IsBasicBlockInSoftMax(tiling, 2));
    optiling::SoftMaxTiling stored;
    AscendC::SoftMaxGradTilingFunc(shape, 4, 1 << 16, stored);
    AscendC::tiling::SoftMaxTiling read;
    stored.SaveToBuffer(&read, sizeof(read));
    Expect("the host's structure has the kernel's layout", stored.GetDataSize() == sizeof(read) && read.srcM == 30 &&
                                                               read.outMaxK == 8 &&
                                                               read.tailReduceSize == stored.get_tailReduceSize());
    Expect("sizes of another type than half and float are unknown",
           AscendC::GetSoftMaxFlashV2MinTmpSize(shape, 4, 1, false) == 0 &&
               AscendC::GetSoftMaxFlashV2MaxTmpSize(shape, 1, 4, false) == 0 &&
               AscendC::GetSoftMaxGradMinTmpSize(shape, 0, true, true) == 0 &&
               AscendC::GetSoftMaxMaxTmpSize(shape, 0, true) == 0);
    Expect("SoftmaxFlash with an update keeps two rows and four blocks",
           AscendC::GetSoftMaxFlashMinTmpSize(shape, 2, true, true) == (4 * 16 + 2 * 64) * 4 &&
               AscendC::GetSoftMaxFlashMaxTmpSize(shape, 4, false, true) == 30 * (8 + 64 + 64) * 4);
    uint32_t most = 0, least = 0;
    AscendC::GetSoftMaxFlashV3MaxMinTmpSize(ge::Shape(std::vector<int64_t>{16, 1024}), 2, 4, most, least, true);
    Expect("SoftmaxFlashV3 keeps two rows, five blocks and 64 floats",
           least == (5 * 8 + 2 * 1024 + 64) * 4 && most == 16 * least);
    optiling::LogSoftMaxTiling logs;
    AscendC::LogSoftMaxTilingFunc(shape, 4, 20 * 136 * 4, logs);
    Expect("LogSoftMax is divided as SoftMax is", logs.get_srcM() == 30 && logs.get_splitM() == 16 &&
                                                      logs.get_tailM() == 14 &&
                                                      AscendC::GetLogSoftMaxMinTmpSize(shape, 4, false) == 136 * 4);
    AscendC::GetSigmoidMaxMinTmpSize(shape, 2, false, most, least);
    Expect("Sigmoid wants 256 bytes at least and the input's size at most", least == 256 && most == 30 * 64 * 2);
    AscendC::GetMeanMaxMinTmpSize(100, 2, 4, false, most, least);
    Expect("Mean of half summed in float keeps the row as floats", most == 32 + 112 * 4 && least == most,
           std::to_string(most));
    AscendC::GetSumMaxMinTmpSize(600, 4, false, most, least);
    Expect("Sum keeps one value a repeat", least == 64, std::to_string(least));
    return Finish();
}
