#include "src/base/time_text.hpp"
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"

using namespace smsrack;
using namespace smsrack::test;

namespace {

/// Two lines that are ready, and a third that is not.
class FakeRack {
public:
    std::string clock = "+CCLK: \\\"30/05/01,12:00:00+08\\\"";  ///< of each modem
    std::string inbox = R"({"messages":[],"next":null})";

    FakeService service{[this](const FakeRequest& request) {
        if (request.line == "GET /v1/modems") {
            return answer_json("200 OK",
                               R"({"modems":[{"name":"m0","link":"active"},)"
                               R"({"name":"m1","link":"active"},{"name":"m2","link":"stop"}]})");
        }
        if (request.line.starts_with("GET /v1/inbox?since=")) {
            return answer_json("200 OK", inbox);
        }
        if (request.line == "POST /v1/modems/m0/at" || request.line == "POST /v1/modems/m1/at") {
            return answer_json("200 OK", R"({"lines":[")" + clock + R"("],"final":"OK"})");
        }
        return answer_json("404 Not Found", R"({"code":"not_found"})");
    }};
};

FirmwareRig::Ended time_of_box(FirmwareRig& rig, const FakeRack& rack, bool set) {
    rig.socket = rack.service.path();
    rig.script("date", {});
    return rig.run([&](const auto& box, auto& context) {
        return cli::firmware_time({.set = set}, box, context);
    });
}

const std::string may_first =
    "date --utc --set=@" +
    std::to_string(std::chrono::duration_cast<std::chrono::seconds>(
                       time_of("2030-05-01T10:00:00Z").value().time_since_epoch())
                       .count());

}  // namespace

TEST_CASE("firmware time: a box that is behind is set to the time of its modems, when asked to") {
    const FakeRack rack;
    FirmwareRig rig;
    const auto told = time_of_box(rig, rack, false);
    CHECK(told.code == 0);
    CHECK(told.out.contains("2 modems report a time; it is 2030-05-01 10:00:00"));
    CHECK_FALSE(rig.programs.called(may_first));
    const auto set = time_of_box(rig, rack, true);
    CHECK(set.code == 0);
    CHECK(set.out.contains("set to 2030-05-01 10:00:00"));
    CHECK(rig.programs.called(may_first));
}

TEST_CASE("firmware time: modems without a clock leave the word to the messages that came in") {
    FakeRack rack;
    rack.clock = "+CME ERROR: 4";
    FirmwareRig rig;
    CHECK(time_of_box(rig, rack, true).out.contains("nothing better is known"));
    CHECK_FALSE(rig.programs.called(may_first));
    rack.inbox =
        R"({"messages":[{"scts":"2030-05-01T12:00:00+02:00"},{"scts":null},{"scts":"2030-05-01T09:50:00Z"}],"next":null})";
    CHECK(time_of_box(rig, rack, true).code == 0);
    CHECK(rig.programs.called(may_first));
}

TEST_CASE("firmware time: where the network keeps the clock no modem is asked") {
    const FakeRack rack;
    FirmwareRig rig;
    rig.write("run/systemd/timesync/synchronized", "");
    CHECK(time_of_box(rig, rack, true).out == "the network keeps the box's clock\n");
    CHECK(rack.service.requests().empty());
}

TEST_CASE(
    "firmware time: a clock that can't be set, and a service that does not answer, are reported") {
    const FakeRack rack;
    FirmwareRig rig;
    rig.socket = rack.service.path();
    const auto refused = rig.run([&](const auto& box, auto& context) {
        return cli::firmware_time({.set = true}, box, context);  // there is no `date`
    });
    CHECK(refused.code == 1);
    CHECK(refused.why.contains("date"));
    rig.socket = "/nowhere.sock";
    const auto alone = rig.run(
        [&](const auto& box, auto& context) { return cli::firmware_time({}, box, context); });
    CHECK(alone.code == 69);
}
