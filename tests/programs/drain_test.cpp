// A line taken out of work under load and back, with the real programs.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

Finished smsrack(const Rack& rack, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {program("smsrack"), "--socket", rack.socket()});
    return run({.words = std::move(arguments)});
}

std::size_t submits_of(const Rack& rack, std::size_t from, std::string_view modem) {
    const auto submits = rack.submits();
    return static_cast<std::size_t>(
        std::count_if(submits.begin() + static_cast<std::ptrdiff_t>(from), submits.end(),
                      [&](const Submit& submit) { return submit.modem == modem; }));
}

}  // namespace

TEST_CASE(
    "modem drain under load: nothing new from then on, nothing lost; it holds over a restart") {
    Rack rack({.modems = 3});
    std::vector<std::string> ids;
    const auto load = [&](int count) {
        for (int i = 0; i < count; ++i) {
            ids.push_back(rack.submit(
                {{"to", "+3360000" + std::to_string(1000 + ids.size())}, {"text", "under load"}}));
        }
    };
    load(60);
    const auto drained = smsrack(rack, {"modem", "drain", "m2"});
    CHECK(drained.ending.code == 0);
    CHECK(drained.output.contains("m2: drained"));
    const std::size_t before = rack.submits().size();
    const auto line = rack.get("/v1/modems/m2");
    CHECK(line["manual"] == "blocked");
    CHECK(line["drained"] == true);
    CHECK(line["link"] == "active");
    load(30);
    for (const std::string& id : ids) {
        CHECK(rack.reaches(id, "delivered"));
    }
    CHECK(submits_of(rack, before, "2") == 0);
    CHECK(rack.submits().size() == ids.size());

    rack.kill_service();
    rack.start_service();
    CHECK(rack.get("/v1/modems/m2")["manual"] == "blocked");
    CHECK(smsrack(rack, {"modem", "resume", "m2"}).ending.code == 0);
    const std::size_t resumed = rack.submits().size();
    load(30);
    CHECK(wait_for(std::chrono::seconds(20), [&] { return submits_of(rack, resumed, "2") > 0; }));
    CHECK(smsrack(rack, {"modem", "drain", "m9"}).output.contains("modem m9"));
    const auto scaling = smsrack(rack, {"scaling"});
    CHECK(scaling.ending.code == 0);
    CHECK(scaling.output.contains("off ([scaling] enabled)"));
    CHECK(rack.get("/v1/scaling").at("n") == 3);  // though the controller does not count
}

}  // namespace smsrack::test
