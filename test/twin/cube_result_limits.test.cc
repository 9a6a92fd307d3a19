// The limits of Mmad and Fixpipe: conversions, sizes, places and starts.
#include "cube_limits.h"
#include "pieces.h"

namespace {

using twin::Type;

/// What each mode makes of which type.
void Modes() {
    const Type types[] = {Type::kHalf, Type::kBfloat16, Type::kInt8, Type::kUint8, Type::kFloat, Type::kInt32};
    const char* names[] = {"half", "bfloat16_t", "int8_t", "uint8_t", "float", "int32_t"};
    const auto converts = [](int mode, int dst, bool fromFloat) {
        const bool byte = dst == 2 || dst == 3;
        switch (mode) {
            case NoQuant: return dst == (fromFloat ? 4 : 5);
            case F322F16: return fromFloat && dst == 0;
            case F322BF16: return fromFloat && dst == 1;
            case DEQF16:
            case VDEQF16: return !fromFloat && dst == 0;
            case QF322B8_PRE:
            case VQF322B8_PRE: return fromFloat && byte;
            default: return !fromFloat && byte;
        }
    };
    for (int mode = 0; mode <= VREQ8; ++mode)
        for (int dst = 0; dst < 6; ++dst)
            for (const bool fromFloat : {false, true}) {
                const bool scales = mode == VDEQF16 || mode == VQF322B8_PRE || mode == VREQ8;
                std::string expected;
                if (!converts(mode, dst, fromFloat))
                    expected = "fixpipe-params: quantPre " + std::to_string(mode) + " of Fixpipe does not convert " +
                               (fromFloat ? "float" : "int32_t") + " to " + names[dst];
                else if (scales)
                    expected = "fixpipe-params: quantPre of Fixpipe wants a scale for each column, and none is given";
                Said("mode " + std::to_string(mode) + " to " + names[dst] + (fromFloat ? " of float" : " of int32_t"),
                     expected, [=](GlobalTensor<half>) {
                         FixpipeParamsV220 params(16, 1, 16, 16, false);
                         params.quantPre = static_cast<QuantMode_t>(mode);
                         const auto l0c = All<float>(TPosition::CO1);
                         l0c.GetPhyAddr();
                         twin::CopyResult(All<half>(TPosition::A1), l0c, nullptr, types[dst],
                                          fromFloat ? Type::kFloat : Type::kInt32, params);
                     });
            }
}

void Limits() {
    const auto leave = [](uint16_t m, uint16_t n, uint16_t src, uint32_t dst, bool rows, bool split = false) {
        return [=](GlobalTensor<half> gm) {
            FixpipeParamsV220 params(n, m, src, dst, false);
            params.isChannelSplit = split;
            const auto to = gm.ReinterpretCast<float>();
            if (rows) Fixpipe<float, float, CFG_ROW_MAJOR>(to, All<float>(TPosition::CO1), params);
            else Fixpipe<float, float, CFG_NZ>(to, All<float>(TPosition::CO1), params);
        };
    };
    const std::string far = "; mSize is at most 8192 and nSize 4095", params = "fixpipe-params: ";
    const auto rule = [](const std::string& said) { return said.substr(0, said.find(':')); };
    const auto passes = [&](const std::string& name, const std::function<void(GlobalTensor<half>)>& kernel) {
        const std::string said = Says(kernel);
        Expect("no limit: " + name, rule(said) != "fixpipe-params" && rule(said) != "not-covered", said);
    };
    passes("4095 columns", leave(1, 4095, 0, 4095, true));
    Said("4096", params + "Fixpipe of 1 x 4096" + far, leave(1, 4096, 0, 4096, true));
    Said("4096 in columns", params + "Fixpipe of 1 x 4096" + far, leave(1, 4096, 0, 4096, false));
    passes("8192 rows", leave(8192, 1, 0, 1, true));
    Said("8193", params + "Fixpipe of 8193 x 1" + far, leave(8193, 1, 0, 1, true));
    passes("8193 in columns", leave(8193, 16, 0, 1, false));
    Said("17 columns in columns", params + "Fixpipe keeps columns of 16, and nSize is 17", leave(1, 17, 16, 1, false));
    passes("17 columns in rows", leave(1, 17, 16, 17, true));
    passes("rows of 1", leave(1, 1, 16, 1, true));
    Said("rows over each other", params + "dstStride of Fixpipe is 0", leave(1, 1, 16, 0, true));
    Said("channels split", "not-covered: Fixpipe with isChannelSplit", leave(1, 16, 16, 1, false, true));
    Said("no rows", "", leave(0, 16, 16, 0, true));
    Said("no columns", "", leave(16, 0, 16, 0, true));
    const auto flag = [](uint16_t nd, uint16_t src) { return [=](auto) { SetFixpipeNz2ndFlag(nd, src, 1); }; };
    const std::string most = "; ndNum is at least 1, srcNdStride at most 512";
    Said("one matrix, 512 KiB apart", "", flag(1, 512));
    Said("513", params + "SetFixpipeNz2ndFlag with ndNum 1 and srcNdStride 513" + most, flag(1, 513));
    Said("no matrix", params + "SetFixpipeNz2ndFlag with ndNum 0 and srcNdStride 1" + most, flag(0, 1));
    const auto older = [](uint8_t relu, uint8_t clip, uint8_t wise) {
        return [=](auto) {
            DataCopyCO12DstParams more(0, 16, 1, 16, F322F16, relu, false, false);
            more.clipReluPre = clip;
            more.eltWiseOp = wise;
            DataCopy(All<half>(TPosition::A1), All<float>(TPosition::CO1), more);
        };
    };
    const auto not_ = [](const std::string& numbers) { return "not-covered: DataCopy out of L0C with " + numbers; };
    Said("relu 0", "", older(0, 0, 0));
    Said("relu 1", "", older(1, 0, 0));
    Said("relu 2", not_("reluPre 2, clipReluPre 0, eltWiseOp 0"), older(2, 0, 0));
    Said("a clipped relu", not_("reluPre 0, clipReluPre 1, eltWiseOp 0"), older(0, 1, 0));
    Said("two tensors", not_("reluPre 0, clipReluPre 0, eltWiseOp 1"), older(0, 0, 1));
}

/// Positions and starts of the operands of Mmad.
void Operands() {
    const MmadParams one(16, 16, 16, 0, false, true);
    const std::vector<std::pair<TPosition, std::string>> places = {{TPosition::A1, "A1"},
                                                                   {TPosition::A2, "A2"},
                                                                   {TPosition::B2, "B2"},
                                                                   {TPosition::CO1, "CO1"},
                                                                   {TPosition::C2, "C2"}};
    const auto wrong = [](const std::string& operand, const std::string& at, const std::string& where, bool right) {
        return right ? "" : "wrong-position: " + operand + " of Mmad is at position " + at + "; it belongs in " + where;
    };
    for (const auto& [at, name] : places) {
        const auto where = at;
        Said("a result in " + name, wrong("dst", name, "CO1", at == TPosition::CO1),
             [=](auto) { Mmad(All<float>(where), All<half>(TPosition::A2), All<half>(TPosition::B2), one); });
        Said("a left matrix in " + name, wrong("fm", name, "A2", at == TPosition::A2),
             [=](auto) { Mmad(All<float>(TPosition::CO1), All<half>(where), All<half>(TPosition::B2), one); });
        Said("a right matrix in " + name, wrong("filter", name, "B2", at == TPosition::B2),
             [=](auto) { Mmad(All<float>(TPosition::CO1), All<half>(TPosition::A2), All<half>(where), one); });
        Said("a bias in " + name, wrong("bias", name, "C2 or CO1", at == TPosition::C2 || at == TPosition::CO1),
             [=](auto) {
                 Mmad(All<float>(TPosition::CO1), All<half>(TPosition::A2), All<half>(TPosition::B2), All<float>(where),
                      one);
             });
    }
    const auto limit = [](uint16_t m, uint16_t n, uint16_t k) {
        return [=](auto) {
            Mmad(All<float>(TPosition::CO1), All<half>(TPosition::A2), All<half>(TPosition::B2),
                 MmadParams(m, n, k, 0, false, true));
        };
    };
    Said("no row, 4095 columns", "", limit(0, 4095, 16));
    Said("no column, 4095 rows", "", limit(4095, 0, 16));
    Said("4095 numbers for one result, which are more than L0B holds",
         "out-of-buffer: filter of Mmad covers bytes 0 to 131072 of a buffer of 65536 bytes", limit(1, 1, 4095));
    Said("no k", "", limit(16, 16, 0));
    Said("4096", "mmad-limit: Mmad with m 1, n 2, k 4096; each is at most 4095", limit(1, 2, 4096));
    Said("4096 columns", "mmad-limit: Mmad with m 1, n 4096, k 2; each is at most 4095", limit(1, 4096, 2));
    const auto sparse = [](uint16_t k) {
        return [=](auto) {
            MmadWithSparse(All<int32_t>(TPosition::CO1), All<int8_t>(TPosition::A2), All<int8_t>(TPosition::B2),
                           MmadParams(16, 16, k, 0, false, true));
        };
    };
    Said("a sparse k of 32", "mmad-limit: MmadWithSparse with k 32, which is no multiple of 64", sparse(32));
    Said("indices that nobody brought",
         "read-unwritten: MmadWithSparse reads the index of row 0, column 0, which no LoadDataWithSparse brought",
         sparse(64));
    Said("no sparse k", "", sparse(0));
    Said("a bias 32 bytes into its table",
         "unaligned-ub: bias of Mmad starts at BT address 0x20, 32 bytes past a multiple of 64", [=](auto) {
             Mmad(All<float>(TPosition::CO1), All<half>(TPosition::A2), All<half>(TPosition::B2),
                  All<float>(TPosition::C2, 32), one);
         });
}

}  // namespace

int main() {
    Modes();
    Limits();
    Operands();
    return Finish();
}
