// The seam between a Matmul object in a kernel and the runtime that calculates for it.
#ifndef TWIN_MATMUL_STATE_H
#define TWIN_MATMUL_STATE_H

#include "twin/matmul_config.h"
#include "twin/runtime.h"

#pragma clang force_cuda_host_device begin

namespace twin {

/// What MatmulType says of one matrix.
struct MatmulOperandKind {
    Type type;
    TPosition position;
    CubeFormat format;
    bool mayTranspose;
    LayoutMode layout;
};
/// Blocks of C that are calculated.
enum class MatmulPart : uint8_t { kAll, kUpper, kLower };
struct MatmulKind {
    MatmulOperandKind a, b, c, bias;
    bool longRows;  // rows of 65536 elements and more are copied in a loop
    bool relu;
    bool channelSplit;   // C of float in NZ comes in columns of 8
    bool bothShared;     // of two vector cores the first calculates for both
    bool dualMaster;     // the cube core runs the kernel's calls itself, with matrices out of GM
    bool biasBatch;      // each matrix of a batch has a bias of its own
    bool partialOutput;  // Iterate gives a tile for each baseK of k
    MatmulPart part;
    bool manyBlocks;        // a copy to L1 brings stepM x stepKa base blocks of A, stepKb x stepN of B
    bool ownCopies;         // functions of the kernel copy A or B
    const char* uncovered;  // what of its configuration the twin lacks; null: nothing
    TCubeTiling constants;  // fields that the kernel fixes; -1: not
};

/// A, B, bias or scales, as the kernel has set them. kFetched: in GM, and copies of the kernel's own have brought what
/// is multiplied.
struct MatmulInput {
    enum Where : uint8_t { kUnset, kScalar, kGlobal, kLocal, kFetched } where = kUnset;
    Wide scalar = 0;
    Global global;
    Local local;
    bool transposed = false;
};
enum class MatmulOperand : uint8_t { kLeft, kRight, kBias, kScales };

/// Memory of an object on the heap: the runtime's alone.
struct MatmulScratch;
class MatmulScratchOwner {
public:
    MatmulScratchOwner() = default;
    MatmulScratchOwner(const MatmulScratchOwner&) {}
    MatmulScratchOwner& operator=(const MatmulScratchOwner&) { return *this; }
    ~MatmulScratchOwner();
    MatmulScratch& get();

private:
    MatmulScratch* scratch_ = nullptr;
};

struct MatmulState {
    const MatmulKind* kind = nullptr;
    bool registered = false;
    bool tiled = false;
    TCubeTiling tiling;
    int32_t m = 0, n = 0, k = 0;  // of the next calculation
    int32_t orgM = 0, orgN = 0, orgKa = 0, orgKb = 0, orgKc = 0;
    MatmulInput a, b, bias, scales;
    bool biasOn = false;
    uint64_t scale = 0;
    bool scaleSet = false;
    bool fresh = false;    // A or B was set since the last calculation
    bool pending = false;  // something waits to be sent with the next calculation
    int32_t tile = -1;     // that Iterate calculated last; -1: none
    bool async = false;
    uint32_t fetched = 0;  // tiles that GetTensorC has given out of the workspace
    int32_t batchA = 0, batchB = 0;
    Global workspace;
    MatmulScratchOwner scratch;
};

/// Where GetTensorC and IterateAll write: one of them, or both.
struct MatmulResult {
    const Global* global;
    const Local* local;
    uint8_t atomic;
    bool sequential;
};
/// One block of A or B that the kernel's own function copies to L1: its number in each direction, and its size in
/// elements.
struct MatmulPiece {
    Local l1;
    int32_t row, column, rows, columns;
};
/// matrixStride*: elements from one matrix to the next; 0: they follow each other.
struct MatmulBatch {
    uint32_t left, right;
    uint32_t leftStride, rightStride;
};

/// REGIST_MATMUL_OBJ of one object. tiling may be null.
void MatmulRegister(MatmulState& state, const MatmulKind& kind, const TCubeTiling* tiling, const uint8_t* workspace);
/// The cube core's side of REGIST_MATMUL_OBJ in a kernel of both kinds of core.
void MatmulServe(const uint8_t* workspace);
void MatmulInit(MatmulState& state, const MatmulKind& kind, const TCubeTiling* tiling);
void MatmulOrgShape(MatmulState& state, int m, int n, int ka, int kb, int kc);
/// -1 keeps what is.
void MatmulSingleShape(const char* api, MatmulState& state, int m, int n, int k);
void MatmulSet(const char* api, MatmulState& state, MatmulOperand operand, const MatmulInput& input);
void MatmulNoBias(const char* api, MatmulState& state);
void MatmulScale(MatmulState& state, uint64_t scale);
void MatmulWorkspace(MatmulState& state, const Global& workspace);
bool MatmulIterate(MatmulState& state, bool sync, bool partialSum, const Local* result);
void MatmulGet(MatmulState& state, bool sync, const MatmulResult& result);
Global MatmulGetCached(MatmulState& state);
void MatmulIterateAll(MatmulState& state, bool sync, const MatmulResult& result, bool announced, bool fake);
void MatmulIterateBatch(MatmulState& state, bool sync, const MatmulResult& result, const MatmulBatch& batch,
                        bool announced);
/// batchLoop times as many matrices, into the workspace.
void MatmulIterateNBatch(MatmulState& state, bool sync, uint32_t loops, const MatmulBatch& batch, bool sequential,
                         bool announced);
/// Block `number` of A or B for the calculation that comes; false when there is none. Between two blocks the kernel
/// copies into piece.l1, as it would for the library: the matrix as it is in memory, in columns of 32 bytes of rows
/// that are padded to 16. Violations: not-covered, local-overflow.
bool MatmulNextPiece(MatmulState& state, MatmulOperand operand, uint32_t number, MatmulPiece* piece);
void MatmulTakePiece(MatmulState& state, MatmulOperand operand, const MatmulPiece& piece);
/// Before SetSelfDefineData: violation matmul-order when A or B is set already.
void MatmulDefines(const char* api, const MatmulState& state);
/// Of asynchronous calculations that were started with the promise to wait.
void MatmulWait(const char* api, MatmulState& state);
void MatmulEnd(MatmulState& state);

}  // namespace twin

#pragma clang force_cuda_host_device end
#endif
