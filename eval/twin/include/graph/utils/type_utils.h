// ge::TypeUtils: names of types and formats for log lines.
#ifndef TWIN_GRAPH_TYPE_UTILS_H
#define TWIN_GRAPH_TYPE_UTILS_H

#include "graph/types.h"

namespace ge {

class TypeUtils {
public:
    static std::string DataTypeToSerialString(DataType type);
    static AscendString DataTypeToAscendString(DataType type) {
        return AscendString(DataTypeToSerialString(type).c_str());
    }
    static std::string FormatToSerialString(Format format);
    static AscendString FormatToAscendString(Format format) {
        return AscendString(FormatToSerialString(format).c_str());
    }
    /// As GetSizeByDataType; a string takes 16 bytes.
    static bool GetDataTypeLength(DataType type, uint32_t& bytes) {
        const int size = type == DT_STRING || type == DT_STRING_REF ? 16 : GetSizeByDataType(type);
        if (size > 0) bytes = static_cast<uint32_t>(size);
        return size > 0;
    }
};

}  // namespace ge

#endif
