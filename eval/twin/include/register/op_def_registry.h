// OP_ADD: makes an operator definition known.
#ifndef TWIN_REGISTER_OP_DEF_REGISTRY_H
#define TWIN_REGISTER_OP_DEF_REGISTRY_H

#include <algorithm>
#include <iostream>
#include <map>

#include "register/op_def.h"
#include "register/tilingdata_base.h"

namespace ops {

class OpDefFactory {
public:
    using Creator = OpDef (*)(const char*);
    static int OpDefRegister(const char* type, Creator creator);
    /// Null when no definition of this type was registered.
    static Creator find(const std::string& type);
    static std::vector<std::string> types();
};

}  // namespace ops

#define OP_ADD(opType, ...)                                                             \
    static ::ops::OpDef twin_create_##opType(const char* name) { return opType(name); } \
    static int twin_op_add_##opType __attribute__((unused)) =                           \
        ::ops::OpDefFactory::OpDefRegister(#opType, twin_create_##opType);

#endif
