// What an operator needs when something goes wrong, with the real programs.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fstream>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

Finished smsrack(const Rack& rack, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {program("smsrack"), "--socket", rack.socket()});
    return run({.words = std::move(arguments)});
}

std::string write_campaign(const Rack& rack, int count) {
    const auto file = rack.folder() / "campaign.csv";
    std::ofstream out(file);
    out << "to,text\n";
    for (int i = 0; i < count; ++i) {
        out << fmt::format("+3361{:07},hello\n", i);
    }
    return file;
}

std::int64_t count(const Rack& rack, const std::string& batch, const char* state) {
    return rack.get("/v1/batches/" + batch).at("messages").at(state).get<std::int64_t>();
}

/// What modems have in flight ends within this many submits.
bool stands_still(const Rack& rack) {
    std::size_t before = rack.submits().size();
    return wait_for(20s, [&] {
        const std::size_t now = rack.submits().size();
        const bool still = now == before && rack.states()["sending"] == 0;
        before = now;
        return still;
    });
}

}  // namespace

TEST_CASE("a paused rack sends nothing, over kill -9 too, and all of it once it is resumed") {
    Rack rack({.modems = 2});
    CHECK(smsrack(rack, {"pause"}).output.contains("the rack is paused"));
    std::vector<std::string> ids;
    for (int i = 0; i < 10; ++i) {
        ids.push_back(rack.submit({{"to", fmt::format("+3361000000{}", i)}, {"text", "wait"}}));
    }
    CHECK(smsrack(rack, {"explain", ids[0]}).output.contains("the rack is paused since"));
    CHECK(smsrack(rack, {"status"}).output.contains("paused: the rack"));
    rack.kill_service();
    rack.start_service();
    CHECK(rack.get("/v1/status").at("pauses").size() == 1);
    CHECK(rack.states()["queued"] == 10);
    CHECK(rack.submits().empty());
    CHECK(smsrack(rack, {"resume"}).output == "the rack is resumed\n");
    for (const std::string& id : ids) {
        CHECK(rack.reaches(id, "delivered"));
    }
    CHECK(rack.submits().size() == 10);
}

TEST_CASE(
    "the wrong campaign: paused, cancelled with progress, and nothing of it leaves any more") {
    Rack rack({.modems = 2,
               .sim_options = {"--service-ms", "100", "--report-ms", "20"},
               .config = "[priority]\nprotect = false\n\n"});
    constexpr int messages = 2'000;
    const auto file = write_campaign(rack, messages);
    CHECK(smsrack(rack, {"send", "--file", file, "--batch", "wrong"}).ending.code == 0);
    CHECK(smsrack(rack, {"pause", "--batch", "wrong"}).ending.code == 0);
    REQUIRE(stands_still(rack));
    const std::size_t before = rack.submits().size();
    const auto other = rack.submit({{"to", "+33600000001"}, {"text", "not of it"}});
    CHECK(rack.reaches(other, "delivered"));
    CHECK(rack.submits().size() == before + 1);
    const auto cancelled = smsrack(rack, {"batch", "cancel", "wrong"});
    CHECK(cancelled.ending.code == 0);
    CHECK(cancelled.output.contains(fmt::format("of {} cancelled", messages)));
    CHECK(count(rack, "wrong", "queued") == 0);
    CHECK(count(rack, "wrong", "cancelled") == messages - static_cast<std::int64_t>(before));
    CHECK(rack.submits().size() == before + 1);
    CHECK(smsrack(rack, {"batches"}).output.contains("cancelled"));
    const auto late =
        rack.http("POST", "/v1/messages", R"({"to":"+33600000002","text":"x","batch":"wrong"})");
    CHECK(late.status == 409);
}

TEST_CASE("an answer STOP: nothing more goes to that number by any path, until START") {
    Rack rack({.modems = 1, .config = "[destinations]\ndeny = [\"+49\"]\n"});
    const std::string number = "+33600000777";
    CHECK(rack.reaches(rack.submit({{"to", number}, {"text", "offer"}}), "delivered"));
    rack.simulate({{"do", "inbound"}, {"modem", 0}, {"from", number}, {"text", "Stop."}});
    REQUIRE(wait_for(20s, [&] { return rack.get("/v1/optouts").at("optouts").size() == 1; }));
    const auto refused =
        rack.http("POST", "/v1/messages", R"({"to":")" + number + R"(","text":"again"})");
    CHECK(refused.status == 403);
    CHECK(refused.body.contains("rule opt_out"));
    const auto lines = rack.http("POST", "/v1/messages",
                                 R"({"to":")" + number + "\",\"text\":\"a\"}\n" +
                                     R"({"to":"+4915112345678","text":"b"})" + "\n",
                                 "Content-Type: application/x-ndjson\r\n");
    CHECK(lines.body.contains("rule opt_out"));
    CHECK(lines.body.contains("rule deny"));
    CHECK(rack.http("POST", "/v1/preview", R"({"to":")" + number + R"(","text":"x"})")
              .body.contains("\"opt_out\""));
    CHECK(smsrack(rack, {"send", "--to", number, "again"}).ending.code == 77);
    CHECK_FALSE(rack.service_log().contains(number));
    rack.simulate({{"do", "inbound"}, {"modem", 0}, {"from", number}, {"text", "START"}});
    REQUIRE(wait_for(20s, [&] { return rack.get("/v1/optouts").at("optouts").empty(); }));
    CHECK(rack.reaches(rack.submit({{"to", number}, {"text", "welcome back"}}), "delivered"));
    CHECK(smsrack(rack, {"optout", "add", number}).output.contains("receives nothing more"));
    CHECK(smsrack(rack, {"send", "--to", number, "again"}).ending.code == 77);
    CHECK(smsrack(rack, {"optout", "remove", number}).ending.code == 0);
}

}  // namespace smsrack::test
