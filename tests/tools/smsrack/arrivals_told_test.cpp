// Where messages come in bursts, the operator reads that the predicted waits are too short.
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack::test;

namespace {

const std::string words =
    "messages come in bursts (index of dispersion 14.2, where M/M/c presumes 1), so M/M/c predicts "
    "waits that are too short";

std::string told(const FakeRequest& request) {
    const std::string arrivals =
        R"("arrivals":{"pattern":"bursts","dispersion":14.2,"words":")" + words + R"("})";
    return answer_json(
        "200 OK",
        request.line.contains("/v1/scaling")
            ? R"({"enabled":false,"n":2,"load":0.5,)" + arrivals + R"(,"decisions":[]})"
            : R"({"version":"1","ready":true,"model":{"lambda":0.5,"mu":0.2,"servers":8,"words":")" +
                  ("the load is 30 % of what the lines can send; " + words) + "\"," + arrivals +
                  "}}");
}

/// Without the line ends and indents that fit it to the terminal.
std::string unwrapped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n';
        if (!blank || (!out.empty() && out.back() != ' ')) {
            out += blank ? ' ' : c;
        }
    }
    return out;
}

}  // namespace

TEST_CASE("smsrack status and scaling: bursts are reported, with what they mean for the model") {
    const FakeService service(told);
    for (const char* command : {"status", "scaling"}) {
        CAPTURE(command);
        const ProgramRun run = run_smsrack(command, service.path());
        CHECK(run.code == 0);
        CHECK(unwrapped(run.out).contains(words));
    }
}
