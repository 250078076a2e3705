// The administration program against the running service: what it prints for programs, and its exit
// codes.
#include "tests/support/rack.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fstream>
#include <string>
#include <vector>

namespace smsrack::test {

namespace {

constexpr int exit_usage = 64;
constexpr int exit_data = 65;
constexpr int exit_unavailable = 69;

Finished smsrack(const Rack& rack, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {program("smsrack"), "--socket", rack.socket()});
    return run({.words = std::move(arguments)});
}

wire::Json json_of(const Finished& finished) {
    CAPTURE(finished.output);
    REQUIRE(finished.ending.code == 0);
    auto value = wire::parse_json(finished.output);
    REQUIRE(value);
    return *value;
}

}  // namespace

TEST_CASE("send --wait ends with 0 when the message is sent") {
    const Rack rack({.modems = 1});
    const auto sent = smsrack(rack, {"send", "--to", "+33600000101", "--wait", "manual"});
    CAPTURE(sent.output);
    CHECK(sent.ending.code == 0);
    CHECK(rack.submits_to("+33600000101").size() == 1);
}

TEST_CASE("send sends a text that begins with a dash") {
    const Rack rack({.modems = 1});
    const auto sent = smsrack(rack, {"--json", "send", "--to", "+33600000106", "-hello", "--wait"});
    CHECK(rack.submits_to("+33600000106").size() == 1);
    const std::string id = json_of(sent).at("id");
    CHECK(rack.message(id).at("text") == "-hello");
}

TEST_CASE("send --file sends the good lines, and names the bad ones with their numbers") {
    const Rack rack({.modems = 1});
    const auto file = rack.folder() / "messages.csv";
    std::ofstream(file)
        << "to,text\n+33600000102,\"first, with a comma\"\nnobody,second\n+33600000103,third\n";
    const auto sent = smsrack(rack, {"send", "--file", file});
    CAPTURE(sent.output);
    CHECK(sent.ending.code == exit_data);
    CHECK(sent.output.contains("3"));  // the line of the bad one, counted as an editor does
    const auto list = json_of(smsrack(rack, {"--json", "messages"}));
    CHECK(list.at("messages").size() == 2);
}

TEST_CASE("what a person reads names modems and states") {
    const Rack rack({.modems = 2});
    const auto id = rack.submit({{"to", "+33600000104"}, {"text", "seen"}});
    REQUIRE(rack.reaches(id, "delivered"));
    CHECK(smsrack(rack, {"modems"}).output.contains("m1"));
    CHECK(smsrack(rack, {"messages"}).output.contains("delivered"));
    const auto shown = smsrack(rack, {"show", id});
    for (const char* word : {"queued", "sending", "sent", "delivered"}) {
        CHECK(shown.output.contains(word));
    }
    CHECK(json_of(smsrack(rack, {"--json", "status"})).at("messages").at("delivered") == 1);
    CHECK(json_of(smsrack(rack, {"modems", "--json"})).at("modems").size() == 2);
}

TEST_CASE("cancel takes back what is still queued") {
    const Rack rack({.modems = 1});
    const auto id = rack.submit(
        {{"to", "+33600000105"}, {"text", "not yet"}, {"not_before", "2099-01-01T00:00:00.000Z"}});
    CHECK(smsrack(rack, {"cancel", id}).ending.code == 0);
    CHECK(rack.message(id).at("state") == "cancelled");
    CHECK(smsrack(rack, {"cancel", id}).ending.code == 1);
}

TEST_CASE("no service is exit code 69, wrong usage 64") {
    const Rack rack({.modems = 1}, false);
    CHECK(smsrack(rack, {"status"}).ending.code == exit_unavailable);
    CHECK(smsrack(rack, {"no-such-command"}).ending.code == exit_usage);
    CHECK(smsrack(rack, {"send"}).ending.code == exit_usage);
}

TEST_CASE("db check and db backup work during the running service") {
    const Rack rack({.modems = 1});
    REQUIRE(rack.reaches(rack.submit({{"to", "+33600000106"}, {"text", "kept"}}), "delivered"));
    const auto copy = rack.folder() / "copy.db";
    const auto backup = run({.words = {program("smsrack"), "--socket", rack.socket(), "db",
                                       "backup", copy, "--config", rack.config_file()}});
    CAPTURE(backup.output);
    CHECK(backup.ending.code == 0);
    CHECK(std::filesystem::exists(copy));
}

}  // namespace smsrack::test
