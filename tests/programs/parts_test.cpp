// Two programs cut long messages themselves, with the same key to the same number and one SIM.
#include "tests/programs/support/phone.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

const std::string number = "+33600000030";

std::string text_of(const std::string& client, int part) {
    return client + " wrote piece " + std::to_string(part) + ". ";
}

}  // namespace

TEST_CASE("parts of two clients with one key reach the phone as two messages, also over a kill") {
    Rack rack({.modems = 1});
    std::vector<std::string> ids;
    const auto submit = [&](int part) {
        for (const char* client : {"anna", "bert"}) {
            ids.push_back(rack.submit({{"to", number},
                                       {"text", text_of(client, part)},
                                       {"client", client},
                                       {"concat", {{"key", "7"}, {"of", 3}, {"part", part}}}}));
        }
    };
    submit(2);
    submit(3);
    rack.kill_service();
    rack.start_service();
    CHECK(rack.submits_to(number).empty());
    submit(1);
    for (const std::string& id : ids) {
        REQUIRE(rack.reaches(id, "delivered"));
    }
    std::multiset<std::string> whole;
    for (const char* client : {"anna", "bert"}) {
        whole.insert(text_of(client, 1) + text_of(client, 2) + text_of(client, 3));
    }
    CHECK(on_the_phone(rack, number) == whole);
}

}  // namespace smsrack::test
