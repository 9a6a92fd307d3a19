// The host side: what securec, the graph engine's types, shapes, the platform and narrow floats answer.
#include <unistd.h>

#include "../runtime/host/broadcast_tiling.cpp"
#include "../runtime/host/platform.cpp"
#include "../runtime/host/registry.cpp"
#include "expect.h"
#include "log/error_code.h"
#include "op_common/op_host/infershape_reduce_util.h"
#include "op_common/op_host/tiling_base_class.h"
#include "op_common/op_host/tiling_base_util.h"
#include "op_common/op_host/util/fp16.h"
#include "op_common/op_host/util/platform_util.h"
#include "atvoss/elewise/elewise_tiling.h"
#include "atvoss/util/dag.h"
#include "atvoss/util/placeholder.h"
#include "atvoss/util/vec.h"
#include "securec.h"
#include "util/bfloat16.h"
#include "util/math_util.h"

namespace {

std::string Text(long long value) { return std::to_string(value); }

void Copies() {
    char dest[8] = "1234567";
    const char src[8] = "abcdefg";
    Expect("memcpy_s copies", memcpy_s(dest, 8, src, 4) == EOK && std::memcmp(dest, "abcd567", 8) == 0);
    const errno_t past = memcpy_s(dest, 4, src, 5);
    Expect("past the destination is ERANGE_AND_RESET", past == ERANGE_AND_RESET && past == 162, Text(past));
    Expect("and clears the destination, no byte more", dest[0] == 0 && dest[3] == 0 && dest[4] == '5');
    Expect("a destination of no bytes is ERANGE", memcpy_s(dest, 0, src, 1) == ERANGE && dest[4] == '5');
    Expect("so is one above 2 GiB", memcpy_s(dest, 0x80000000UL, src, 1) == ERANGE && dest[4] == '5');
    Expect("no destination is EINVAL", memcpy_s(nullptr, 4, src, 4) == EINVAL);
    Expect("no source is EINVAL_AND_RESET", memcpy_s(dest, 8, nullptr, 4) == 150 && dest[4] == 0);
    char both[8] = "abcdefg";
    Expect("overlap is EOVERLAP_AND_RESET", memcpy_s(both, 4, both + 2, 4) == 182 && both[0] == 0 && both[4] == 'e');
    char moved[8] = "abcdefg";
    Expect("memmove_s takes overlap", memmove_s(moved + 1, 7, moved, 6) == EOK && moved[1] == 'a' && moved[6] == 'f');
    Expect("and neighbours do not overlap", memcpy_s(moved, 4, moved + 4, 4) == EOK);
    Expect("memmove_s past the destination clears it",
           memmove_s(moved, 2, src, 3) == ERANGE_AND_RESET && moved[1] == 0);
}

void Fills() {
    char dest[6] = "abcde";
    Expect("memset_s fills", memset_s(dest, 6, 'x', 2) == EOK && dest[1] == 'x' && dest[2] == 'c');
    Expect("past the destination it fills all of it", memset_s(dest, 4, 'y', 9) == ERANGE_AND_RESET && dest[3] == 'y');
    Expect("and no byte more", dest[4] == 'e');
    Expect("of no destination is EINVAL", memset_s(nullptr, 4, 0, 4) == EINVAL && memset_s(nullptr, 0, 0, 0) == ERANGE);
    Expect("nothing into nothing is fine", memset_s(dest, 0, 0, 0) == EOK && memset_s(dest, 0, 0, 1) == ERANGE);
}

void Texts() {
    char dest[8] = "";
    Expect("strcpy_s copies", strcpy_s(dest, 8, "abc") == EOK && std::strcmp(dest, "abc") == 0);
    Expect("strcat_s appends", strcat_s(dest, 8, "defg") == EOK && std::strcmp(dest, "abcdefg") == 0);
    Expect("a NUL needs room too", strcat_s(dest, 8, "h") == ERANGE_AND_RESET && dest[0] == '\0');
    Expect("strncpy_s copies so many", strncpy_s(dest, 8, "abcdefghij", 3) == EOK && std::strcmp(dest, "abc") == 0);
    std::memset(dest, 'z', 8);
    Expect("text without an end is EINVAL_AND_RESET", strcat_s(dest, 8, "a") == EINVAL_AND_RESET && dest[0] == '\0');
    Expect("sprintf_s counts", sprintf_s(dest, 8, "%d-%s", 12, "ab") == 5 && std::strcmp(dest, "12-ab") == 0);
    Expect("sprintf_s of too much leaves nothing", sprintf_s(dest, 4, "%d", 12345) == -1 && dest[0] == '\0');
    Expect("snprintf_s keeps what it cut", snprintf_s(dest, 8, 3, "%d", 12345) == -1 && std::strcmp(dest, "123") == 0);
}

void Types() {
    Expect("an int4 is 4 bits", ge::GetSizeByDataType(ge::DT_INT4) == 1004 && ge::GetSizeInBytes(3, ge::DT_INT4) == 2);
    Expect("strings have no size but in bytes",
           ge::GetSizeByDataType(ge::DT_STRING) == -1 && ge::GetSizeInBytes(2, ge::DT_STRING) == 32);
    Expect("and no count is negative",
           ge::GetSizeInBytes(-1, ge::DT_FLOAT) == -1 && ge::GetSizeInBytes(1LL << 62, ge::DT_FLOAT) == -1);
    Expect("numbers are the engine's",
           ge::DT_HIFLOAT4 == 42 && ge::DT_MAX == 43 && ge::FORMAT_FRACTAL_NZ == 29 && ge::FORMAT_END == 55);
    Expect("bfloat16 is told by another name", ge::TypeUtils::DataTypeToSerialString(ge::DT_BF16) == "DT_BFLOAT16");
    const int32_t format = ge::GetFormatFromSubAndC0(ge::FORMAT_FRACTAL_Z, 16, 5);
    Expect("a format carries a second one", ge::GetPrimaryFormat(format) == ge::FORMAT_FRACTAL_Z &&
                                                ge::GetSubFormat(format) == 16 && ge::GetC0Value(format) == 16);
    Expect("which its name tells",
           ge::TypeUtils::FormatToSerialString(static_cast<ge::Format>(format)) == "FRACTAL_Z:16");
}

void Shapes() {
    gert::Shape shape = {3, -1, 5};
    Expect("unknown sizes multiply", shape.GetShapeSize() == -15, Text(shape.GetShapeSize()));
    Expect("what does not fit is no size",
           gert::Shape({1LL << 40, 1LL << 40}).GetShapeSize() == gert::Shape::kInvalidDimValue);
    Expect("behind the last dimension is 0, behind all of them none",
           shape.GetDim(7) == 0 && shape.GetDim(25) == gert::Shape::kInvalidDimValue);
    shape.SetDim(4, 9);
    Expect("SetDim behind the last dimension gives those before it", shape.GetDimNum() == 4 && shape.GetDim(4) == 9);
    Expect("a scalar stands for one element", Ops::Base::EnsureNotScalar(gert::Shape()) == gert::Shape({1}) &&
                                                  &Ops::Base::EnsureNotScalar(shape) == &shape);
    gert::TilingData data(8);
    const uint32_t words[] = {1, 2};
    Expect("tiling data takes what fits", data.Append(words, 2) == ge::GRAPH_SUCCESS &&
                                              data.Append(uint8_t{3}) != ge::GRAPH_SUCCESS && data.GetDataSize() == 8);
}

void Inference() {
    const auto broadcast = [](std::vector<gert::Shape> shapes) {
        std::vector<const gert::Shape*> each;
        for (const gert::Shape& shape : shapes) each.push_back(&shape);
        gert::Shape result = {-9};
        return Ops::Base::BroadcastShape(each, &result) ? Ops::Base::ToString(result) : "none";
    };
    Expect("shapes meet at their last dimension", broadcast({{5}, {3, 1}, {2, 1, 1}}) == "[2, 3, 5]",
           broadcast({{5}, {3, 1}, {2, 1, 1}}));
    Expect("sizes that differ do not", broadcast({{2}, {3}}) == "none" && broadcast({}) == "none");
    Expect("an unknown size gives way to one above 1", broadcast({{-1, -1}, {4, 1}}) == "[4, -1]");
    Expect("an unknown rank stays one", broadcast({{-2}, {4, 1}}) == "[-2]");
    const auto reduce = [](gert::Shape from, std::vector<int32_t> axes, bool keep) {
        gert::Shape result;
        const auto status = Ops::Base::ReduceDims(&from, axes.data(), static_cast<int32_t>(axes.size()), keep, &result);
        return status == ge::GRAPH_SUCCESS ? Ops::Base::ToString(result) : "failed";
    };
    Expect("axes are left out", reduce({2, 3, 4}, {-1, 0}, false) == "[3]" && reduce({2, 3}, {2}, false) == "failed");
    Expect("or kept as 1", reduce({2, 3, 4}, {1}, true) == "[2, 1, 4]" && reduce({}, {0}, true) == "[]" &&
                               reduce({}, {1}, true) == "failed");
    int64_t sizes[] = {7, 9};
    twin_host::OpCall call;
    call.inputs.push_back({"sizes", {gert::Tensor({2}, ge::DT_INT64, sizes, 16)}});
    call.inputs.push_back({"none", {gert::Tensor({2}, ge::DT_INT32, nullptr, 8)}});
    call.inputs.push_back({"real", {gert::Tensor({2}, ge::DT_FLOAT, sizes, 8)}});
    const gert::TilingContext context(&call);
    int32_t first = 0;
    gert::Shape shape;
    Expect("an input's integers", Ops::Base::GetConstInt(&context, 0, first) && first == 7 &&
                                      Ops::Base::GetConstIntToShape(&context, 0, shape) &&
                                      shape == gert::Shape({7, 9}));
    Expect("no others, and none that the host has not", !Ops::Base::GetConstInt(&context, 2, first) &&
                                                            !Ops::Base::GetConstInt(&context, 1, first) &&
                                                            !Ops::Base::GetConstInt(&context, 3, first) && first == 7);
    gert::Shape sized;
    Expect("a tensor's integers as a shape",
           Ops::Base::GetValueToShape<int64_t>(context.GetInputTensor(0), sized) && sized == gert::Shape({7, 9}));
    Expect("which replace the shape's own, and of which the host may have none",
           Ops::Base::GetValueToShape<int64_t>(context.GetInputTensor(0), sized) && sized.GetDimNum() == 2 &&
               !Ops::Base::GetValueToShape<int32_t>(context.GetInputTensor(1), sized) && sized.GetDimNum() == 2);
    Expect("axes of a rank", Ops::Base::CheckAxisBounds(3, -3) && !Ops::Base::CheckAxisBounds(3, 3) &&
                                 Ops::Base::CheckAxisBounds(0, 0) && !Ops::Base::CheckAxisBounds(0, -1));
}

constexpr float kLimit = 3.5f;

/// Twice the input, or the limit, as tilings for several chips describe it.
template <typename T, typename Wide = float>
struct DoubledGraph {
    using Limit = MAKE_CONST(Wide, kLimit);
    using Factor = Ops::Base::Placeholder::Var<Wide, 0>;
    using Read = Ops::Base::Bind<Ops::Base::Vec::CopyIn<T>, Ops::Base::Placeholder::In0<T>>;
    using Step = Ops::Base::Placeholder::In4<T, Ops::Base::Placeholder::ScalarAttr<true>>;
    using Widened = Ops::Base::Bind<Ops::Base::Vec::Cast<Wide, T, 0>, Read>;
    using Doubled = Ops::Base::Bind<Ops::Base::Vec::Muls<Wide>, Widened, Factor>;
    using Above = Ops::Base::Bind<Ops::Base::Vec::Compare<uint8_t, Wide, 1>, Doubled, Limit>;
    using Chosen = Ops::Base::Bind<Ops::Base::Vec::Select<uint8_t, Wide, 1>, Above, Limit, Doubled>;
    using Written = Ops::Base::Bind<Ops::Base::Vec::CopyOut<T>, Ops::Base::Placeholder::Out0<T>, Chosen>;
    using Memory = Ops::Base::MemOptCfg<Ops::Base::MemLevel::LEVEL_2>;
    using Graph = Ops::Base::DAGSch<Ops::Base::Elems<Written>, void, Memory>;
};

/// What tiling may plan with: two chips of one AI Core differ in name and clock alone.
void Chips() {
    const auto described = [](const char* soc) {
        const fe::PlatFormInfos* info = fe::findPlatform(soc);
        const platform_ascendc::PlatformAscendC platform(const_cast<fe::PlatFormInfos*>(info));
        std::string all = std::to_string(platform.GetCoreNumAic()) + "/" + std::to_string(platform.GetCoreNumAiv());
        using platform_ascendc::CoreMemType;
        for (const CoreMemType type : {CoreMemType::UB, CoreMemType::L1, CoreMemType::L0_A, CoreMemType::L0_B,
                                       CoreMemType::L0_C, CoreMemType::L2, CoreMemType::HBM}) {
            uint64_t bytes = 0;
            platform.GetCoreMemSize(type, bytes);
            all += " " + std::to_string(bytes);
        }
        all += platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND910B ? " 910B" : " another";
        for (const auto& [label, key] : {std::pair("version", "SoC_version"), std::pair("version", "Short_SoC_version"),
                                         std::pair("version", "NpuArch"), std::pair("AICoreSpec", "cube_freq")}) {
            std::string value;
            info->GetPlatformRes(label, key, value);
            all += " " + value;
        }
        return all;
    };
    const std::string core = "196352 524032 65536 65536 131072 ";
    const std::string common = "24/48 " + core + "201326592 68719476736 910B ";
    Expect("an Ascend910_9392", described("Ascend910_9392") == common + "Ascend910_9392 Ascend910_93 2201 1850");
    Expect("an Ascend910B2", described("Ascend910B2") == common + "Ascend910B2 Ascend910B 2201 1800");
    Expect("an Ascend910B4 has fewer cores and less memory",
           described("Ascend910B4") == "20/40 " + core + "100663296 34359738368 910B Ascend910B4 Ascend910B 2201 1500");
    Expect("no other chip", fe::findPlatform("Ascend910B5") == nullptr &&
                                platform_ascendc::PlatformAscendCManager::GetInstance("Ascend950") == nullptr);
}

void Platform() {
    twin_host::OpCall call;
    call.opType = "Example";
    call.platform = *fe::findPlatform("Ascend910B3");
    const gert::TilingContext tiling(&call);
    const gert::TilingParseContext parse(&call);
    Expect("a parse context has the platform",
           parse.GetPlatformInfo() == &call.platform && Ops::Base::GetAivCoreNum(&parse) == 40);
    Expect("cores and UB of an Ascend910B3",
           Ops::Base::GetAicCoreNum(&tiling) == 20 && Ops::Base::GetUbSize(&tiling) == 196608 - 256);
    Expect("blocks, registers and lines", Ops::Base::GetUbBlockSize(&tiling) == 32 &&
                                              Ops::Base::GetVRegSize(&tiling) == 256 &&
                                              Ops::Base::GetCacheLineSize(&tiling) == 256);
    Expect("workspace of the library", Ops::Base::GetWorkspaceSize(&tiling) == 16 * 1024 * 1024);
    Expect("A2 computes on UB", !Ops::Base::IsRegbaseSocVersion(&tiling) && !Ops::Base::IsRegbaseSocVersion(&parse));
    Expect("a context that is not there has no cores",
           Ops::Base::GetAivCoreNum(static_cast<const gert::TilingContext*>(nullptr)) == 0);
    std::string arch;
    Expect("the architecture by its number",
           call.platform.GetPlatformRes("version", "NpuArch", arch) && arch == "2201");
    const platform_ascendc::PlatformAscendC platform(&call.platform);
    Expect("as many blocks as pairs of vector cores",
           platform.CalcTschBlockDim(39, 20, 40) == 20 && platform.CalcTschBlockDim(7, 0, 40) == 7);
    Expect("more than the cube cores is none", platform.CalcTschBlockDim(41, 20, 40) == 0);
    Expect("a chip's enumerators",
           platform_ascendc::SocVersion::ASCEND950 == platform_ascendc::SocVersion::ASCEND910_95 &&
               static_cast<int>(NpuArch::DAV_5102) == 5102);
    gert::TilingContext changing(&call);
    Ops::Base::EleBaseTilingData data{};
    Expect("register templates are refused",
           Ops::Base::ElewiseBaseTiling(&changing).DoTiling<DoubledGraph<half>::Graph>(data) == ge::GRAPH_FAILED);
    Expect("no tensor is a view",
           !tiling.InputIsView(0) && tiling.GetInputStride(0) == nullptr && tiling.GetInputOffset(0) == -1);
    Expect("names for log lines",
           std::string(Ops::Base::GetSafeStr(Ops::Base::GetOpInfo(&tiling))) == "Example:Example" &&
               Ops::Base::CUBE_INNER_ERROR == 69999);
}

void Integers() {
    Expect("CeilDiv rounds up",
           Ops::Base::CeilDiv(7, 2) == 4 && Ops::Base::CeilDiv(-7, 2) == -3 && Ops::Base::CeilDiv(-7, -2) == 4);
    Expect("by 0 it is the dividend",
           Ops::Base::CeilDiv(7, 0) == 7 && Ops::Base::FloorDiv(7, 0) == 7 && Ops::Base::CeilAlign(7, 0) == 0);
    Expect("CeilAlign ends at the largest number",
           Ops::Base::CeilAlign<uint8_t>(250, 100) == 255 && Ops::Base::CeilAlign(9, 8) == 16);
    Expect("LastPow2 is not above",
           Ops::Base::LastPow2(0) == 1 && Ops::Base::LastPow2(64) == 64 && Ops::Base::LastPow2(127) == 64);
    Ops::Base::SplitResult split;
    Expect("parts are equal but the last", Ops::Base::SplitIntoEqualByParts(10, 4, split) && split.splitCount == 4 &&
                                               split.splitFactor == 3 && split.splitTailFactor == 1);
    Expect("and are not more than they need",
           Ops::Base::SplitIntoEqualByParts(9, 5, split) && split.splitCount == 5 && split.splitTailFactor == 1);
    Expect("one part has no factor", Ops::Base::SplitIntoEqualByFactor(10, 16, split) && split.splitCount == 1 &&
                                         split.splitFactor == 0 && split.splitTailFactor == 10);
    Expect("nothing is not split",
           !Ops::Base::SplitIntoEqualByFactor(0, 16, split) && !Ops::Base::SplitIntoEqualByParts(4, 0, split));
}

void NarrowFloats() {
    using Ops::Base::bfloat16;
    using Ops::Base::fp16_t;
    const auto bits = [](auto value) { return fp16_t(value).val; };
    Expect("halves round to the nearest, ties to even",
           bits(1.0f) == 0x3c00 && bits(2049.0f) == 0x6800 && bits(2051.0) == 0x6802);
    Expect("denormals too", bits(0x1p-24f) == 1 && bits(0x1p-25f) == 0 && bits(0x1.8p-25f) == 1 &&
                                bits(0x1.ff8p-15f) == 0x3ff && bits(0x1.ffcp-15f) == 0x400);
    Expect("what is too large is 65504", bits(1e30f) == 0x7bff && bits(-INFINITY) == 0xfbff && bits(65520.0) == 0x7bff);
    fp16_t number;
    number = static_cast<uint16_t>(3);
    Expect("a uint16_t is bits in the constructor, a number assigned",
           fp16_t(static_cast<uint16_t>(3)).val == 3 && number.val == 0x4200);
    Expect("bits of an infinity read as 65536", fp16_t(static_cast<uint16_t>(0x7c00)).toFloat() == 65536.0f &&
                                                    fp16_t(static_cast<uint16_t>(0xfc00)).IsInf() == -1);
    Expect("to integers: the nearest and the ends", fp16_t(2.5f).toInt32() == 2 && fp16_t(300.0f).toInt8() == 127 &&
                                                        fp16_t(-3.0f).toUInt8() == 0 &&
                                                        fp16_t(-1000.0f).toInt8() == -128);
    Expect("a quotient by zero is 65504 with its sign",
           (fp16_t(-1.0f) / fp16_t(0.0f)).val == 0xfbff && (fp16_t(0.0f) / fp16_t(-2.0f)).val == 0);
    Expect("sums round once", (fp16_t(2048.0f) + fp16_t(1.0f)).val == 0x6800 && fp16_t(1.0f) < fp16_t(2.0f) &&
                                  fp16_t(-0.0f) == fp16_t(0.0f));
    Expect("bfloat16 rounds ties to even", bfloat16(1.00390625f).value == 0x3f80 &&
                                               bfloat16(1.01171875f).value == 0x3f82 &&
                                               bfloat16(std::nanf("")).value == 0x7fc0);
    Expect("and knows infinity", bfloat16(3.4e38f).value == 0x7f80 && static_cast<float>(bfloat16(-2.5f)) == -2.5f &&
                                     !static_cast<bool>(bfloat16(1e-8f)));
}

void Broadcasts() {
    const platform_ascendc::PlatformAscendC platform(const_cast<fe::PlatFormInfos*>(fe::findPlatform("Ascend910B1")));
    const auto sizes = [&](std::vector<int64_t> from, std::vector<int64_t> to, uint32_t typeSize) {
        uint32_t most = 7, least = 7;
        AscendC::GetBroadCastMaxMinTmpSize(platform, ge::Shape(from), ge::Shape(to), typeSize, false, most, least);
        return Text(most) + " " + Text(least);
    };
    Expect("columns of whole blocks want a block a row, in eights", sizes({16, 1}, {16, 16}, 4) == "512 256",
           sizes({16, 1}, {16, 16}, 4));
    Expect("others want the rows besides", sizes({16, 1}, {16, 15}, 2) == "1024 1024", sizes({16, 1}, {16, 15}, 2));
    Expect("rows want one block", sizes({1, 16}, {9, 16}, 2) == "32 32");
    Expect("bytes are widened, what is read and what comes of it", sizes({1, 32}, {2, 32}, 1) == "224 224",
           sizes({1, 32}, {2, 32}, 1));
    Expect("a single value wants nothing", sizes({1, 1}, {9, 16}, 4) == "0 0");
    Expect("shapes that do not match leave the sizes",
           sizes({2, 16}, {9, 16}, 4) == "7 7" && sizes({1, 3}, {9, 3}, 4) == "7 7" && sizes({1}, {9}, 8) == "7 7");
}

/// What `run` writes to the log.
std::string LogOf(const std::function<void()>& run) {
    std::FILE* log = std::tmpfile();
    const int before = dup(2);
    dup2(fileno(log), 2);
    run();
    std::fflush(stderr);
    dup2(before, 2);
    close(before);
    std::rewind(log);
    std::string text;
    for (int c = std::fgetc(log); c != EOF; c = std::fgetc(log)) text += static_cast<char>(c);
    std::fclose(log);
    return text;
}

void Logs() {
    const std::string log = LogOf([] {
        OP_LOGE("Example", "%d of %s", 3, "x");
        OP_LOGW(std::string("Other"));
        OP_LOGE_FOR_INVALID_TENSORNUM("Example", "x", 3, "2");
        OP_LOGI("Example", "not printed");
        AlogRecord(OP, DLOG_TYPE_DEBUG, DLOG_ERROR, "%d failed", 4);
        AlogRecord(OP, DLOG_TYPE_RUN, DLOG_INFO, "not printed");
    });
    const std::string expected =
        "[ERROR] Example: 3 of x\n[WARNING] Other: \n"
        "[ERROR] Example: invalid number of tensors x 3 2\n"
        "[ERROR] : 4 failed\n";
    Expect("errors and warnings are lines of the log", log == expected, log);
}

}  // namespace

void Descriptions() {
    ge::Operator op("node");
    op.UpdateInputDesc("x", ge::TensorDesc(ge::Shape({2, 3}), ge::FORMAT_NHWC, ge::DT_INT8));
    op.UpdateInputDesc("a", ge::TensorDesc(ge::Shape({5}), ge::FORMAT_ND, ge::DT_BOOL));
    op.UpdateInputDesc("x", ge::TensorDesc(ge::Shape({4}), ge::FORMAT_NCHW, ge::DT_INT32));
    Expect("a node's inputs by name", op.GetInputDesc("a").GetDataType() == ge::DT_BOOL);
    Expect("and by number, in the order in which they came",
           op.GetInputDesc(0).GetDataType() == ge::DT_INT32 && op.GetInputDesc(1).GetDataType() == ge::DT_BOOL);
    Expect("what is not there is float without a shape", op.GetInputDesc(2).GetDataType() == ge::DT_FLOAT &&
                                                             op.GetInputDesc("y").GetShape().GetDimNum() == 0 &&
                                                             op.GetOutputDesc(0).GetDataType() == ge::DT_FLOAT);
    struct Asked : ops::OpDef {
        Asked() : OpDef("Asked") {
            AICore().SetCheckSupport([](const ge::Operator&, ge::AscendString&) { return ge::GRAPH_FAILED; });
        }
    } asked;
    ge::AscendString why;
    Expect("a definition keeps its check", asked.AICore().GetCheckSupport()(op, why) == ge::GRAPH_FAILED);
    const std::string name = ge::GetFormatName(static_cast<ge::Format>(ge::FORMAT_NC1HWC0 | 5 << 8));
    Expect("formats have names, without their second one", name == "NC1HWC0", name);
    Expect("or none of their own", std::string(ge::GetFormatName(static_cast<ge::Format>(200))) == "RESERVED");
}

int main() {
    const std::string log = LogOf([] {
        Copies();
        Fills();
        Texts();
        Types();
        Shapes();
        Inference();
        Chips();
        Platform();
        Integers();
        NarrowFloats();
        Broadcasts();
        Descriptions();
    });
    const auto lines = std::count(log.begin(), log.end(), '\n');
    Expect("each refusal says why", lines == 11 && log.find("vector registers") != std::string::npos, log);
    Logs();
    return Finish();
}
