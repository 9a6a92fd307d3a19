// Select by a mask of whole elements.
#include <algorithm>
#include <cstring>

#include "numbers.h"
#include "reserved.h"
#include "vector.h"
#include "twin/select_bytes.h"

namespace twin {

void SelectBytes(Type type, const Local& dst, const Local& src, double scalar, const Local& mask, uint32_t maskBytes,
                 uint32_t rows, uint32_t columns, uint32_t maskColumns, bool tensorWhereSet) {
    Begin("SelectWithBytesMask", PIPE_V);
    OverwriteReserved("SelectWithBytesMask", 128);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    CheckAligned(mask, "mask");
    const uint32_t bytes = TypeBytes(type);
    if (columns * bytes % kBlockBytes != 0 || maskColumns * maskBytes % kBlockBytes != 0 || maskColumns < columns) {
        Broken("reduce-shape", BufferName(src),
               Text("SelectWithBytesMask of rows of %u elements with masks of %u; both are multiples of 32 bytes, and "
                    "the mask's row is not shorter",
                    columns, maskColumns),
               "pad the rows of source and mask");
    }
    Core& c = core();
    uint8_t constant[4];
    const uint16_t halfBits = HalfBits(static_cast<float>(scalar));
    const auto wide = static_cast<float>(scalar);
    type == Type::kHalf ? std::memcpy(constant, &halfBits, 2) : std::memcpy(constant, &wide, 4);
    for (uint64_t r = 0; r < rows; ++r) {
        const uint32_t from =
            Touch(src, "src", r * columns * bytes, static_cast<uint64_t>(columns) * bytes, PIPE_V, Access::kRead);
        const uint32_t masks = Touch(mask, "mask", r * maskColumns * maskBytes,
                                     static_cast<uint64_t>(columns) * maskBytes, PIPE_V, Access::kRead);
        const uint32_t to =
            Touch(dst, "dst", r * columns * bytes, static_cast<uint64_t>(columns) * bytes, PIPE_V, Access::kWrite);
        for (uint32_t i = 0; i < columns; ++i) {
            const uint8_t* own = c.memory.ub + masks + i * maskBytes;
            const bool set = std::any_of(own, own + maskBytes, [](uint8_t b) { return b != 0; });
            const bool tensor = set == tensorWhereSet;
            const bool known =
                AllDefined(masks + i * maskBytes, maskBytes) && (!tensor || AllDefined(from + i * bytes, bytes));
            if (!known)
                NoteUnwritten(dst, tensor ? src : mask, tensor ? "src" : "mask",
                              tensor ? from + i * bytes : masks + i * maskBytes);
            std::memmove(c.memory.ub + to + i * bytes, tensor ? c.memory.ub + from + i * bytes : constant, bytes);
            Define(to + i * bytes, bytes, known);
        }
    }
}

}  // namespace twin
