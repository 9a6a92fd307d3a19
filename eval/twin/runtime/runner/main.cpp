// Builds and runs one operator inside a sandbox. One line of stdin is one request, one line of JSON on stdout its
// answer: `tools …` runs compilers, `case DIRECTORY` runs a case of what was built. A case has a process of its own, so
// that no memory outlives it; its candidate has two more, to which this program's memory, files and answers are closed.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

#include "child.h"
#include "confine.h"
#include "judge_case.h"
#include "run_tools.h"

namespace {

/// What tools left behind: the first process of a namespace is everyone's last parent.
void reapOrphans() {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {}
}

std::string judgeApart(const std::string& directory) {
    reapOrphans();
    twin_host::Pipe up;
    const pid_t child = fork();
    if (child == 0) _exit(twin_host::Line(-1, up.write).say(twin_host::judgeCase(directory)) ? 0 : 1);
    twin_host::Pipe::closeEnd(up.write);
    std::string answer;
    while (child > 0 && twin_host::drain(up.read, answer)) {}
    int status = 1;
    if (child > 0) waitpid(child, &status, 0);
    if (status == 0) return answer;
    return twin_host::notJudged("the runner itself ended with wait status " + std::to_string(status));
}

std::string answerTo(const std::string& request) {
    const size_t end = request.find(' ');
    const std::string rest = end == std::string::npos ? "" : request.substr(end + 1);
    try {
        return request.compare(0, end, "tools") == 0 ? twin_host::runTools(rest) : judgeApart(rest);
    } catch (const std::exception& error) { return twin_host::notJudged(error.what()); }
}

}  // namespace

int main() {
    // Whatever the caller left open is not for a candidate.
    twin_host::closeFilesFrom(STDERR_FILENO + 1);
    twin_host::hideMemory();
    signal(SIGPIPE, SIG_IGN);
    for (std::string request; std::getline(std::cin, request);) std::cout << answerTo(request) << std::endl;
    return 0;
}
