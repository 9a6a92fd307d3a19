#pragma once
#include <string>

#include "aclnn/acl_meta.h"

// What the generated functions of an operator do here: they write a launch into a folder and ask `project run` for it.
struct StandInCall;
StandInCall* StandInOpen();
void StandInAdd(StandInCall* call, const char* name, const aclTensor* tensor);
void StandInAdd(StandInCall* call, const char* name, int64_t value);
void StandInAdd(StandInCall* call, const char* name, double value);
void StandInAdd(StandInCall* call, const char* name, bool value);
void StandInAdd(StandInCall* call, const char* name, const char* value);
void StandInAdd(StandInCall* call, const char* name, const aclIntArray* value);
void StandInAdd(StandInCall* call, const char* name, const aclFloatArray* value);
aclnnStatus StandInPlan(StandInCall* call, uint64_t* workspaceSize, aclOpExecutor** executor);
aclnnStatus StandInLaunch(aclOpExecutor* executor, aclrtStream stream);
