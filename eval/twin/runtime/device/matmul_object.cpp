// Matmul objects: registration on both kinds of core, shapes and matrices as the kernel sets them, and what must hold
// at the end.
#include <algorithm>
#include <cstring>

#include "matmul.h"

namespace twin {

namespace {

constexpr uint32_t kMostObjects = 4;
constexpr uint64_t kLibraryWorkspace = 16 * 1024 * 1024;
/// Behind everything else in UB stand the messages to the cube core.
constexpr uint32_t kMessageBytes = 256;

/// Messages between vector cores and cube core go through the library's part of the workspace.
void CheckWorkspace(const uint8_t* workspace) {
    uint64_t bytes = 0;
    for (const GmArg& arg : launch().spec->args)
        if (workspace != nullptr && workspace >= arg.data && workspace < arg.data + arg.bytes) bytes = arg.bytes;
    if (bytes >= kLibraryWorkspace) return;
    Broken("matmul-init", "",
           Text("REGIST_MATMUL_OBJ with a workspace of %llu bytes; the library alone takes %llu",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(kLibraryWorkspace)),
           "let the host ask for GetLibApiWorkSpaceSize() bytes beside its own, and pass GetSysWorkSpacePtr()");
}

void CheckCores() {
    const Cores cores = launch().spec->cores;
    const bool own = core().cube ? cores != Cores::kVector : cores == Cores::kMix11 || cores == Cores::kMix12;
    if (own) return;
    Broken("cross-core-kind", "", "a Matmul of vector cores and no cube core in the kernel to calculate for them",
           "declare the kernel with KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2)");
}

[[noreturn]] void NeverRegistered(uint32_t cubeCore) {
    Broken("sync-deadlock", "",
           Text("%s serves Matmul until all its vector cores have registered and ended, and one of them ends without "
                "REGIST_MATMUL_OBJ",
                CoreName(cubeCore).c_str()),
           "call REGIST_MATMUL_OBJ on every vector core, also on those without work");
}

/// Whether the kernel fixes all that a calculation needs.
bool IsConstant(const TCubeTiling& constants) { return constants.singleCoreM > 0 && constants.baseM > 0; }

void TakeTiling(MatmulState& s, TCubeTiling tiling) {
    const TCubeTiling& constants = s.kind->constants;
#define TWIN_FIELD(name) \
    if (constants.name != -1) tiling.name = constants.name;
    TWIN_CUBE_TILING_FIELDS(TWIN_FIELD)
#undef TWIN_FIELD
    CheckTiling(*s.kind, tiling);
    s.tiling = tiling;
    s.tiled = true;
    s.m = tiling.singleCoreM;
    s.n = tiling.singleCoreN;
    s.k = tiling.singleCoreK;
    s.orgM = tiling.M;
    s.orgN = s.orgKc = tiling.N;
    s.orgKa = tiling.Ka;
    s.orgKb = tiling.Kb;
    s.biasOn = tiling.isBias != 0;
    s.fresh = s.pending = false;
    s.tile = -1;
}

void RequireTiling(const MatmulState& s, const char* api) {
    if (s.tiled) return;
    Broken("matmul-init", "",
           Text("%s of a Matmul object that %s", api, s.registered ? "has no tiling" : "was not initialised"),
           "call REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), object, &tiling) first, or Init with the tiling");
}

void CheckTransposed(const char* api, const MatmulOperandKind& kind, bool transposed) {
    if (transposed && !kind.mayTranspose) {  // an assertion of the library, which is empty on the device
        Suspect("matmul-shape", "", Text("%s with a transposed matrix, and the MatmulType does not allow it", api),
                "set ISTRANS of the MatmulType to true");
    }
    const bool halfWide = kind.type == Type::kHalf || kind.type == Type::kBfloat16;
    if (!transposed && kind.mayTranspose && !halfWide) {
        Broken("matmul-shape", "",
               Text("%s of %s without transposition, and the MatmulType has ISTRANS", api, TypeName(kind.type)),
               "of types other than half and bfloat16_t the matrix is transposed exactly when ISTRANS says so");
    }
}

/// On a vector core the copy to the cube core waits for the vector unit; on the cube core the matrix stays in L1.
void CopyLocal(const Local& from, const char* operand, MatmulCopy* to) {
    Core& c = core();
    const bool home = SpaceOf(from.position) == (c.cube ? kL1 : kUb);
    if (from.position == TPosition::TSCM && !c.cube)
        Broken("not-covered", BufferName(from), Text("%s of a tensor in TSCM from a vector core", c.account.api),
               "set the tensor in GM, or in UB");
    if (!home)
        Broken("wrong-position", BufferName(from),
               Text("%s of a tensor at position %s", c.account.api, PositionName(from.position)),
               "set tensors in GM, VECOUT or TSCM");
    CheckAligned(from, operand);
    if (!c.cube) Join(PIPE_MTE3, Snapshot(PIPE_V));
    const pipe_t pipe = c.cube ? PIPE_MTE1 : PIPE_MTE3;
    Begin(c.account.api, pipe);
    const uint32_t bytes = from.bytes / kBlockBytes * kBlockBytes,
                   at = Touch(from, operand, 0, bytes, pipe, Access::kRead);
    to->bytes.assign(c.memory.ub + at, c.memory.ub + at + bytes);
    to->known.assign(c.memory.defined.begin() + at, c.memory.defined.begin() + at + bytes);
}

}  // namespace

MatmulScratchOwner::~MatmulScratchOwner() { delete scratch_; }
MatmulScratch& MatmulScratchOwner::get() {
    if (scratch_ == nullptr) scratch_ = new MatmulScratch;
    return *scratch_;
}

void MatmulRegister(MatmulState& s, const MatmulKind& kind, const TCubeTiling* tiling, const uint8_t* workspace) {
    Begin("REGIST_MATMUL_OBJ", PIPE_S);
    Core& c = core();
    if (!c.cube) CheckWorkspace(workspace);
    CheckCores();
    if (++c.matmul.objects > kMostObjects)
        Broken("matmul-init", "", "REGIST_MATMUL_OBJ of a fifth Matmul object", "a kernel has at most 4");
    if (!c.cube && c.tpipe.buffers.size() > 1)
        Suspect("matmul-order", "", "REGIST_MATMUL_OBJ after InitBuffer",
                "register Matmul objects before the first InitBuffer");
    s.registered = true;
    s.kind = &kind;
    if (tiling != nullptr || IsConstant(kind.constants)) MatmulInit(s, kind, tiling);
}

void MatmulServe(const uint8_t* workspace) {
    Begin("REGIST_MATMUL_OBJ", PIPE_S);
    Core& c = core();
    CheckWorkspace(workspace);
    c.matmul.serves = true;
    if (VectorCoresPerBlock(*launch().spec) == 0) {
        Broken("cross-core-kind", "", "the cube core waits for calls of Matmul, and the kernel runs on no vector core",
               "define ASCENDC_CUBE_ONLY before lib/matmul_intf.h is included, or declare the kernel with "
               "KERNEL_TYPE_MIX_AIC_1_2");
    }
    for (const auto& other : launch().live)
        if (other->block == c.block && other->fibre.done && other->matmul.objects == 0) NeverRegistered(c.index);
}

void EndOfMatmul(Core& c) {
    if (c.matmul.announced > 0) {
        Suspect(
            "unpaired-flag", "",
            Text("the kernel ends and %u asynchronous calculations of Matmul were not waited for, which was promised",
                 c.matmul.announced),
            "call WaitIterateAll once for each IterateAll<false> with waitIterateAll");
    }
    if (c.cube) return;
    for (const auto& other : launch().live)
        if (other->block == c.block && other->matmul.serves && c.matmul.objects == 0) NeverRegistered(other->index);
    if (c.matmul.objects > 0 && c.memory.used[kUb] > kUbBytes - kMessageBytes) {
        Broken(
            "ub-overflow", "",
            Text("the kernel uses %u bytes of UB beside Matmul, whose messages to the cube core stand in the last %u",
                 c.memory.used[kUb], kMessageBytes),
            "plan with GetCoreMemSize(CoreMemType::UB), which leaves them out");
    }
}

void MatmulInit(MatmulState& s, const MatmulKind& kind, const TCubeTiling* tiling) {
    if (Serves()) return;
    Begin("Init", PIPE_S);
    if (!s.registered && !core().cube)
        Broken("matmul-init", "", "Init of a Matmul object that was not registered",
               "call REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), object) first");
    const bool given = tiling != nullptr;
    if (!given && !IsConstant(kind.constants))
        Broken("matmul-init", "", "Init of a Matmul object with a null tiling", "pass the address of a TCubeTiling");
    s.kind = &kind;
    if (kind.channelSplit && (kind.c.format != CubeFormat::NZ || kind.c.type != Type::kFloat)) {
        Broken("matmul-shape", "", "isEnableChannelSplit and C is not of float in NZ",
               "leave it out: it gives NZ of float in columns of 8 (MatmulConfig.md)");
    }
    if (kind.uncovered != nullptr) Broken("not-covered", "", kind.uncovered, "leave it out");
    TakeTiling(s, given ? *tiling : TCubeTiling{});
}

void MatmulOrgShape(MatmulState& s, int m, int n, int ka, int kb, int kc) {
    if (Serves()) return;
    Begin("SetOrgShape", PIPE_S);
    RequireTiling(s, "SetOrgShape");
    if (s.pending) {
        Broken("matmul-order", "",
               "SetOrgShape after SetTensorA, SetTensorB, SetBias or SetSingleShape of the same calculation, which it "
               "discards",
               "call SetOrgShape first");
    }
    if (m <= 0 || n <= 0 || ka <= 0 || kb <= 0 || kc < 0)
        Broken("matmul-shape", "", Text("SetOrgShape with M %d, N %d, Ka %d, Kb %d, Kc %d", m, n, ka, kb, kc),
               "sizes are above 0");
    s.orgM = m;
    s.orgN = n;
    s.orgKa = ka;
    s.orgKb = kb;
    s.orgKc = kc;
}

void MatmulSingleShape(const char* api, MatmulState& s, int m, int n, int k) {
    if (Serves()) return;
    Begin(api, PIPE_S);
    RequireTiling(s, api);
    for (const int size : {m, n, k})
        if (size < -1 || size == 0)
            Broken("matmul-shape", "", Text("%s with %d, %d, %d", api, m, n, k),
                   "sizes are above 0, or -1 to keep what is; leave out the call when there is nothing to calculate");
    if (m != -1) s.m = m;
    if (n != -1) s.n = n;
    if (k != -1) s.k = k;
    s.pending = !core().cube;
}

void MatmulSet(const char* api, MatmulState& s, MatmulOperand operand, const MatmulInput& input) {
    if (Serves()) return;
    Begin(api, PIPE_S);
    RequireTiling(s, api);
    const MatmulKind& kind = *s.kind;
    const bool matrix = operand == MatmulOperand::kLeft || operand == MatmulOperand::kRight;
    if (matrix && input.where != MatmulInput::kScalar)
        CheckTransposed(api, operand == MatmulOperand::kLeft ? kind.a : kind.b, input.transposed);
    if (operand == MatmulOperand::kBias && s.tiling.isBias == 0)
        Broken("matmul-order", "", "SetBias and isBias of the tiling is 0", "let the host call EnableBias(true)");
    if (kind.dualMaster && input.where == MatmulInput::kLocal) {
        Broken("matmul-shape", "", Text("%s of a tensor in UB with enableMixDualMaster", api),
               "set matrices in GM, which is all that it takes (MatmulConfig.md)");
    }
    if (input.where == MatmulInput::kLocal)
        CopyLocal(input.local, api, &s.scratch.get().operands[static_cast<int>(operand)]);
    MatmulInput* const slots[] = {&s.a, &s.b, &s.bias, &s.scales};
    *slots[static_cast<int>(operand)] = input;
    if (operand == MatmulOperand::kBias) s.biasOn = true;
    if (operand == MatmulOperand::kScales) s.scaleSet = true;
    if (matrix) s.fresh = true;
    s.pending = !core().cube;
}

void MatmulNoBias(const char* api, MatmulState& s) {
    if (Serves()) return;
    Begin(api, PIPE_S);
    RequireTiling(s, api);
    s.biasOn = false;
}

void MatmulScale(MatmulState& s, uint64_t scale) {
    if (Serves()) return;
    Begin("SetQuantScalar", PIPE_S);
    RequireTiling(s, "SetQuantScalar");
    s.scale = scale;
    s.scaleSet = true;
    s.scales = {};
}

void MatmulWorkspace(MatmulState& s, const Global& workspace) {
    if (Serves()) return;
    Begin("SetWorkspace", PIPE_S);
    RequireTiling(s, "SetWorkspace");
    s.workspace = workspace;
}

void MatmulEnd(MatmulState& s) {
    if (Serves()) return;
    Begin("End", PIPE_S);
    RequireTiling(s, "End");
    s.fresh = s.pending = false;
    s.tile = -1;
}

}  // namespace twin
