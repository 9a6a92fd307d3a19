// The runtime without a board: device memory is memory, and a launch is `project run`.
#include "stand_in.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

struct aclTensor {
    std::vector<int64_t> shape;
    aclDataType type;
    void* data;
};
struct aclIntArray {
    std::vector<int64_t> values;
};
struct aclFloatArray {
    std::vector<float> values;
};
struct Given {
    std::string name;
    const aclTensor* tensor;
};
struct StandInCall {
    std::vector<Given> tensors;
    std::string attributes;
};

static std::string said;
static int pending = 0;
static std::set<std::string> addresses;

static std::string marked() {
    const std::string command = std::string("grep -rhoE 'stand-in: [a-z0-9 ]+' ") + getenv("ASCEND_CUSTOM_OPP_PATH");
    FILE* pipe = popen((command + "/op_kernel 2>/dev/null").c_str(), "r");
    char line[256] = "";
    if (fgets(line, sizeof line, pipe) == nullptr) line[0] = 0;
    pclose(pipe);
    return std::string(line).substr(0, std::strcspn(line, "\n"));
}

static bool markedBy(const char* mark) { return marked() == std::string("stand-in: ") + mark; }

static bool boardSays(const char* name) {
    return access((std::string(getenv("ASCEND_HOME_PATH")) + "/" + name).c_str(), F_OK) == 0;
}

static int failed(int code, const char* words) {
    said = words;
    return code;
}

extern "C" {
aclError aclInit(const char*) { return 0; }
aclError aclrtSetDevice(int32_t device) {
    return boardSays(("sick-" + std::to_string(device)).c_str()) ? failed(507033, "device setup error") : 0;
}
aclError aclrtCreateStream(aclrtStream*) { return 0; }
aclError aclrtMalloc(void** memory, size_t bytes, aclrtMemMallocPolicy) {
    *memory = std::malloc(bytes);
    return 0;
}
aclError aclrtFree(void* memory) {
    std::free(memory);
    return 0;
}
aclError aclrtMemcpy(void* to, size_t, const void* from, size_t bytes, aclrtMemcpyKind) {
    std::memcpy(to, from, bytes);
    return 0;
}
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream, int32_t) { return pending; }
const char* aclGetRecentErrMsg() { return said.c_str(); }
aclTensor* aclCreateTensor(const int64_t* dims, uint64_t count, aclDataType type, const int64_t*, int64_t, aclFormat,
                           const int64_t*, uint64_t, void* data) {
    return new aclTensor{std::vector<int64_t>(dims, dims + count), type, data};
}
aclIntArray* aclCreateIntArray(const int64_t* values, uint64_t count) {
    return new aclIntArray{std::vector<int64_t>(values, values + count)};
}
aclFloatArray* aclCreateFloatArray(const float* values, uint64_t count) {
    return new aclFloatArray{std::vector<float>(values, values + count)};
}
}

struct TypeName {
    const char* name;
    size_t bytes;
};

static TypeName nameOf(aclDataType type) {
    switch (type) {
        case ACL_FLOAT16: return {"float16", 2};
        case ACL_BF16: return {"bfloat16", 2};
        case ACL_INT32: return {"int32", 4};
        case ACL_INT64: return {"int64", 8};
        case ACL_UINT8: return {"uint8", 1};
        case ACL_INT8: return {"int8", 1};
        case ACL_BOOL: return {"bool", 1};
        default: return {"float32", 4};
    }
}

static size_t bytesOf(const aclTensor& tensor) {
    size_t bytes = nameOf(tensor.type).bytes;
    for (const int64_t size : tensor.shape) bytes *= size;
    return bytes;
}

template <typename T>
static std::string listed(const std::vector<T>& values) {
    std::ostringstream text;
    for (size_t at = 0; at < values.size(); ++at) text << (at > 0 ? "," : "") << values[at];
    return "[" + text.str() + "]";
}

static void attribute(StandInCall* call, const char* name, const std::string& json) {
    call->attributes += (call->attributes.empty() ? "\"" : ",\"") + std::string(name) + "\":" + json;
}

StandInCall* StandInOpen() { return new StandInCall; }
void StandInAdd(StandInCall* call, const char* name, const aclTensor* tensor) {
    if (tensor != nullptr) call->tensors.push_back({name, tensor});
}
void StandInAdd(StandInCall* call, const char* name, int64_t value) { attribute(call, name, std::to_string(value)); }
void StandInAdd(StandInCall* call, const char* name, double value) {
    attribute(call, name, listed(std::vector<double>{value}).substr(1, listed(std::vector<double>{value}).size() - 2));
}
void StandInAdd(StandInCall* call, const char* name, bool value) { attribute(call, name, value ? "true" : "false"); }
void StandInAdd(StandInCall* call, const char* name, const char* value) {
    attribute(call, name, "\"" + std::string(value) + "\"");
}
void StandInAdd(StandInCall* call, const char* name, const aclIntArray* value) {
    attribute(call, name, listed(value->values));
}
void StandInAdd(StandInCall* call, const char* name, const aclFloatArray* value) {
    attribute(call, name, listed(value->values));
}

aclnnStatus StandInPlan(StandInCall* call, uint64_t* workspaceSize, aclOpExecutor** executor) {
    if (markedBy("refuse tiling")) return failed(561002, "tiling refused");
    *workspaceSize = 64;
    *executor = reinterpret_cast<aclOpExecutor*>(call);
    return 0;
}

static int codeOfMark() {
    const std::string mark = marked();
    if (mark.rfind("stand-in: code ", 0) == 0) return std::atoi(mark.c_str() + 15);
    if (mark == "stand-in: end host") _exit(3);
    if (mark == "stand-in: hang host") pause();
    return 0;
}

struct Launched {
    int code = 0;
    std::vector<std::string> tensors;
};

// The same launch again gives the same: a process of the twin for each of them takes seconds.
static std::map<std::string, Launched> launched;

static Launched run(const StandInCall& call) {
    char folder[] = "launch-XXXXXX";
    if (mkdtemp(folder) == nullptr) return {1, {}};
    const std::string place(folder);
    std::string tensors;
    for (size_t at = 0; at < call.tensors.size(); ++at) {
        const auto& [name, tensor] = call.tensors[at];
        const std::string file = std::to_string(at) + ".bin";
        std::ofstream(place + "/" + file, std::ios::binary)
            .write(static_cast<const char*>(tensor->data), bytesOf(*tensor));
        tensors += std::string(at > 0 ? "," : "") + "{\"name\":\"" + name + "\",\"dtype\":\"" +
                   nameOf(tensor->type).name + "\",\"shape\":" + listed(tensor->shape) + ",\"file\":\"" + file + "\"}";
    }
    std::ofstream(place + "/call.json") << "{\"tensors\":[" << tensors << "],\"attributes\":{" << call.attributes
                                        << "}}";
    const std::string command = std::string(getenv("ASCEND_HOME_PATH")) + "/bin/project run " + place;
    if (std::system(command.c_str()) != 0) return {507899, {}};
    Launched end;
    std::ifstream(place + "/code") >> end.code;
    for (size_t at = 0; at < call.tensors.size(); ++at) {
        std::ifstream file(place + "/" + std::to_string(at) + ".bin", std::ios::binary);
        end.tensors.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return end;
}

aclnnStatus StandInLaunch(aclOpExecutor* executor, aclrtStream) {
    const StandInCall& call = *reinterpret_cast<StandInCall*>(executor);
    pending = codeOfMark();
    if (pending != 0) return failed(0, "EZ9999: Inner Error!");
    const std::string mark = marked();
    if (mark == "stand-in: write behind")
        static_cast<uint8_t*>(call.tensors[0].tensor->data)[bytesOf(*call.tensors[0].tensor)] = 1;
    if (mark == "stand-in: write input") static_cast<uint8_t*>(call.tensors[0].tensor->data)[0] ^= 1;
    std::string given;
    for (const auto& [name, tensor] : call.tensors)
        given.append(static_cast<const char*>(tensor->data), bytesOf(*tensor));
    if (launched.count(given) == 0) launched[given] = run(call);
    const Launched& end = launched[given];
    pending = end.code;
    for (size_t at = 0; at < call.tensors.size(); ++at) {
        const aclTensor& tensor = *call.tensors[at].tensor;
        if (pending == 0) std::memcpy(tensor.data, end.tensors[at].data(), bytesOf(tensor));
    }
    // Right as long as its tensors lie where they lay at first.
    addresses.insert(std::to_string(reinterpret_cast<uintptr_t>(call.tensors.back().tensor->data)));
    if (mark == "stand-in: wrong elsewhere" && addresses.size() > 1)
        std::memset(call.tensors.back().tensor->data, 0, bytesOf(*call.tensors.back().tensor));
    return 0;
}
