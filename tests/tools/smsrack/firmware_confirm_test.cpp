#include "src/wire/json.hpp"
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"

#include <atomic>

using namespace smsrack;
using namespace smsrack::test;
using namespace std::chrono_literals;

namespace {

constexpr const char* ordered =
    R"({"id":"0007","group":"default","to":"m1","expires_at":"2026-01-01T00:05:00.000Z"})";
constexpr const char* two_modems =
    R"({"modems":[{"name":"m0","link":"active","manual":"open"},{"name":"m1","link":"pending","manual":"open"}]})";
constexpr const char* no_two =
    R"({"title":"conflict","status":409,"code":"conflict","detail":"this takes two modems"})";

/// A service that is ready, and whose radio is as the test says.
class FakeRack {
public:
    std::atomic<int> unready = 0;     ///< so often it is not ready
    std::atomic<int> no_time = 0;     ///< so often it takes no message now
    std::atomic<int> impossible = 0;  ///< so often no two lines are fit
    std::atomic<int> on_the_way = 1;  ///< so often the message is not there yet
    std::string end = "delivered";
    bool paused = false;
    bool lost = false;  ///< the answer to the order is none that can be read

    std::string answer(const FakeRequest& request) {
        if (request.line == "GET /healthz") {
            return unready-- > 0 ? answer_json("503 Service Unavailable", R"({"status":"no"})")
                                 : answer_json("200 OK", R"({"status":"ok"})");
        }
        if (request.line == "POST /v1/self-sms") {
            if (no_time-- > 0) {
                return answer_json("503 Service Unavailable", R"({"detail":"it is starting"})");
            }
            if (lost) {
                return "what is this\r\n\r\n";
            }
            return impossible-- > 0 ? answer_json("409 Conflict", no_two)
                                    : answer_json("202 Accepted", ordered);
        }
        if (request.line == "GET /v1/messages/0007") {
            return answer_json("200 OK", R"({"id":"0007","state":")" +
                                             (on_the_way-- > 0 ? "sent" : end) + R"("})");
        }
        if (request.line == "GET /v1/status") {
            return answer_json("200 OK",
                               paused ? R"({"pauses":[{"scope":"rack"}]})" : R"({"pauses":[]})");
        }
        return answer_json("200 OK", two_modems);
    }

    FakeService service{[this](const FakeRequest& request) { return answer(request); }};

    [[nodiscard]] std::size_t asked(const std::string& line) const {
        const auto requests = service.requests();
        return static_cast<std::size_t>(std::ranges::count(requests, line, &FakeRequest::line));
    }
};

FirmwareRig::Ended confirm(FirmwareRig& rig, cli::FirmwareConfirmOptions options = {}) {
    return rig.run([&](const auto& box, auto& context) {
        return cli::firmware_confirm(options, box, context);
    });
}

void new_release(FirmwareRig& rig, const FakeRack& rack) {
    rig.rauc(rauc_status({.good = true, .version = "1.0.0", .sha256 = "aa"},
                         {.booted = true, .good = false, .version = "2.0.0", .sha256 = "bb"},
                         "rootfs.1"));
    rig.socket = rack.service.path();
}

}  // namespace

TEST_CASE("firmware confirm: a ready service and a message between two own SIMs; then it is good") {
    FirmwareRig rig;
    FakeRack rack;
    rack.unready = 3;
    new_release(rig, rack);
    const auto ended = confirm(rig);
    CHECK(ended.code == 0);
    CHECK(ended.out ==
          "slot B, version 2.0.0: confirmed\n"
          "radio: a message went from the group default to m1\n");
    CHECK(rig.programs.called("rauc status mark-good"));
    CHECK(rig.programs.calls.back() == cli::settle_script);  // what the box keeps is kept last
    const auto note = wire::parse_json(rig.read("data/firmware/slot-B.json"));
    REQUIRE(note);
    CHECK(
        *note ==
        wire::Json{{"version", "2.0.0"}, {"schema", 14}, {"readable_from", 14}, {"sha256", "bb"}});
    CHECK(rack.asked("POST /v1/self-sms") == 1);
}

TEST_CASE("firmware confirm: what was confirmed is so already, and costs no message") {
    FirmwareRig rig;
    FakeRack rack;
    new_release(rig, rack);
    REQUIRE(confirm(rig).code == 0);
    rig.rauc(rauc_status({.version = "1.0.0", .sha256 = "aa"},
                         {.booted = true, .version = "2.0.0", .sha256 = "bb"}, "rootfs.1"));
    rig.programs.calls.clear();
    const auto again = confirm(rig);
    CHECK(again.code == 0);
    CHECK(again.out == "slot B, version 2.0.0: was confirmed already\n");
    CHECK_FALSE(rig.programs.called("rauc status mark-good"));
    CHECK(rig.programs.called(cli::settle_script));  // the configuration may have changed since
    CHECK(rack.asked("POST /v1/self-sms") == 1);

    // Another image in the slot is another matter, whatever its version is called.
    rig.rauc(rauc_status({}, {.booted = true, .version = "2.0.0", .sha256 = "cc"}, "rootfs.1"));
    CHECK(confirm(rig).out.contains(": confirmed\n"));
    CHECK(rack.asked("POST /v1/self-sms") == 2);
}

TEST_CASE("firmware confirm: a service that is not ready, or not there, is not good") {
    FirmwareRig rig;
    FakeRack rack;
    rack.unready = 1'000;
    new_release(rig, rack);
    const SteadyTime began = rig.clock.steady();
    const auto late = confirm(rig, {.wait = 10s});
    CHECK(late.code == 75);
    CHECK(late.why.contains("not ready within 10 s"));
    CHECK(rig.clock.steady() - began >= 10s);
    rig.socket = "/nowhere.sock";
    CHECK(confirm(rig, {.wait = 10s}).code == 69);
    CHECK_FALSE(rig.programs.called("rauc status mark-good"));
    CHECK_FALSE(std::filesystem::exists(rig.root() / "data/firmware/slot-B.json"));
}

TEST_CASE("firmware confirm: a message is not ordered again where the answer was lost") {
    FirmwareRig rig;
    FakeRack rack;
    rack.lost = true;
    new_release(rig, rack);
    const auto ended = confirm(rig);
    CHECK(ended.code == 1);
    CHECK(ended.why.contains("may have accepted the message"));
    CHECK(rack.asked("POST /v1/self-sms") == 1);
    CHECK_FALSE(rig.programs.called("rauc status mark-good"));
}

TEST_CASE("firmware confirm: a message that does not come does not confirm, and why is said") {
    for (const char* end : {"undelivered", "failed", "expired", "cancelled"}) {
        CAPTURE(end);
        FirmwareRig rig;
        FakeRack rack;
        rack.end = end;
        new_release(rig, rack);
        const auto ended = confirm(rig);
        CHECK(ended.code == 1);
        CHECK(ended.why.contains("did not arrive"));
        CHECK(ended.why.contains(end));
        CHECK_FALSE(rig.programs.called("rauc status mark-good"));
    }
    FirmwareRig rig;
    FakeRack rack;
    rack.on_the_way = 1'000;
    new_release(rig, rack);
    const auto ended = confirm(rig, {.radio_wait = 20s});
    CHECK(ended.code == 1);
    CHECK(ended.why.contains("did not arrive in time"));
    CHECK_FALSE(rig.programs.called("rauc status mark-good"));
}

TEST_CASE("firmware confirm: without two lines that are fit the service's health decides") {
    FirmwareRig rig;
    FakeRack rack;
    rack.impossible = 1'000;
    new_release(rig, rack);
    const SteadyTime began = rig.clock.steady();
    const auto ended = confirm(rig);
    CHECK(ended.code == 0);
    CHECK(ended.out.contains("the test was not possible"));
    CHECK(ended.out.contains("this takes two modems"));
    CHECK(rig.programs.called("rauc status mark-good"));
    CHECK(rig.clock.steady() - began >= 60s);  // one of them was on its way
}

TEST_CASE(
    "firmware confirm: lines that are on their way are waited for; those of a paused rack are "
    "not") {
    FirmwareRig rig;
    FakeRack rack;
    rack.impossible = 5;
    new_release(rig, rack);
    CHECK(confirm(rig).out.contains("radio: a message went"));
    FirmwareRig other;
    FakeRack paused;
    paused.impossible = 1'000;
    paused.paused = true;
    new_release(other, paused);
    const SteadyTime began = other.clock.steady();
    CHECK(confirm(other).out.contains("not possible"));
    CHECK(other.clock.steady() == began);
}

TEST_CASE("firmware confirm: a service that takes no message now is asked again, for a while") {
    FirmwareRig rig;
    FakeRack rack;
    rack.no_time = 3;
    new_release(rig, rack);
    CHECK(confirm(rig).out.contains("radio: a message went"));
    FirmwareRig other;
    FakeRack never;
    never.no_time = 1'000;
    new_release(other, never);
    const SteadyTime began = other.clock.steady();
    const auto refused = confirm(other);
    CHECK(refused.code == 1);
    CHECK(refused.why.contains("did not accept the message: it is starting"));
    CHECK(other.clock.steady() - began >= 60s);
    CHECK_FALSE(other.programs.called("rauc status mark-good"));
}

TEST_CASE("firmware confirm: a new box sends nothing before a person has looked at it") {
    FirmwareRig rig;
    FakeRack rack;
    new_release(rig, rack);
    rig.write("data/firmware/pause-wanted", "");
    CHECK(confirm(rig).out.contains("not possible"));
    CHECK(rack.asked("POST /v1/self-sms") == 0);
    CHECK(rig.programs.called("rauc status mark-good"));
}

TEST_CASE("firmware confirm: a release that may only be started once more is not confirmed yet") {
    FirmwareRig rig;
    FakeRack rack;
    new_release(rig, rack);
    REQUIRE(confirm(rig).code == 0);
    // What RAUC calls good, the boot loader's own word denies.
    rig.rauc(rauc_status({}, {.booted = true, .version = "2.0.0", .sha256 = "bb"}, "rootfs.1"));
    rig.write("boot/efi/EFI/smsrack/grubenv", "# GRUB Environment Block\nB_OK=0\nB_TRIES=1\n");
    CHECK(confirm(rig).out.contains(": confirmed\n"));
    rig.write("boot/efi/EFI/smsrack/grubenv", "# GRUB Environment Block\nB_OK=1\nB_TRIES=0\n");
    CHECK(confirm(rig).out.contains("was confirmed already"));
}

TEST_CASE("firmware confirm --no-radio: sends nothing") {
    FirmwareRig rig;
    FakeRack rack;
    new_release(rig, rack);
    rig.json = true;
    const auto said = wire::parse_json(confirm(rig, {.no_radio = true}).out);
    REQUIRE(said);
    CHECK((*said)["confirmed"] == true);
    CHECK((*said)["radio"] == "left_out");
    CHECK(rack.asked("POST /v1/self-sms") == 0);
}

TEST_CASE(
    "firmware confirm: what RAUC refuses is not confirmed; a note that can't be written is said") {
    FirmwareRig rig;
    FakeRack rack;
    new_release(rig, rack);
    rig.script("rauc status mark-good", {.code = 1, .err = "rauc mark: no\n"});
    const SteadyTime began = rig.clock.steady();
    const auto refused = confirm(rig, {.wait = 10s});
    CHECK(refused.code == 1);
    CHECK(refused.why.contains("rauc mark: no"));
    CHECK(rig.clock.steady() - began >= 10s);
    CHECK_FALSE(std::filesystem::exists(rig.root() / "data/firmware/slot-B.json"));
    new_release(rig, rack);
    std::filesystem::remove_all(rig.root() / "data/firmware");
    const auto unnoted = confirm(rig);
    CHECK(unnoted.code == 0);
    CHECK(unnoted.err.contains("could not be recorded"));
}

TEST_CASE(
    "firmware confirm: what is not confirmed leaves nothing, and what could not be kept is said") {
    FirmwareRig rig;
    FakeRack rack;
    new_release(rig, rack);
    rig.script(cli::settle_script, {.code = 1, .err = "floor: no space left\n"});
    const auto ended = confirm(rig);
    CHECK(ended.code == 0);
    CHECK(ended.err.contains("not all that a confirmed release keeps"));
    CHECK(ended.err.contains("floor: no space left"));
    FirmwareRig other;
    FakeRack silent;
    silent.unready = 1'000;
    new_release(other, silent);
    CHECK(confirm(other).code == 75);
    CHECK_FALSE(other.programs.called(cli::settle_script));
}

TEST_CASE("firmware confirm: a RAUC that comes late is waited for") {
    for (const char* words : {"rauc status --detailed", "rauc status mark-good"}) {
        CAPTURE(words);
        FirmwareRig rig;
        FakeRack rack;
        new_release(rig, rack);
        rig.script(words, {.code = 1, .err = "Could not connect: Timeout\n"});
        rack.on_the_way = 0;
        int turns = 0;
        rig.on_wait = [&] {
            if (++turns == 3) {
                new_release(rig, rack);
            }
            return false;
        };
        CHECK(confirm(rig).out.contains(": confirmed\n"));
        CHECK(turns == 3);
    }
}

TEST_CASE("firmware confirm: a signal ends the waiting, and nothing is confirmed") {
    FirmwareRig rig;
    FakeRack rack;
    rack.unready = 1'000;
    new_release(rig, rack);
    rig.on_wait = [] { return true; };
    const auto ended = confirm(rig);
    CHECK(ended.code == 1);
    CHECK(ended.why == "interrupted; not confirmed");
}
