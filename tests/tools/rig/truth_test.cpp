#include "tools/rig/truth.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

TEST_CASE("truth: each message is one thing, by what the service says and how often it went out") {
    struct Case {
        const char* so;
        const char* state;
        bool unknown;
        unsigned taken;
        const char* is;
    };
    for (const Case& one : {
             Case{"delivered once", "delivered", false, 1, "sent"},
             Case{"sent once", "sent", false, 1, "sent"},
             Case{"a report says no", "undelivered", false, 1, "sent"},
             Case{"said to be sent, and never was", "sent", false, 0, "lost"},
             Case{"not ended", "queued", false, 0, "lost"},
             Case{"still in doubt", "uncertain", false, 1, "lost"},
             Case{"twice", "delivered", false, 2, "twice"},
             Case{"twice, and in doubt", "failed", true, 2, "twice"},
             Case{"in doubt, and was sent", "failed", true, 1, "unknown"},
             Case{"in doubt, and was not", "failed", true, 0, "unknown"},
             Case{"refused", "failed", false, 0, "refused"},
             Case{"said to be refused, and was sent", "failed", false, 1, "denied"},
         }) {
        CAPTURE(one.so);
        const rig::Truth truth = rig::compare(
            {{.id = "m", .to = "+33600000001", .state = one.state, .unknown = one.unknown}},
            {{"+33600000001", one.taken}, {"+33600000002", 7}});
        const std::string is(one.is);
        CHECK(truth.sent == (is == "sent" ? 1 : 0));
        CHECK(truth.refused == (is == "refused" ? 1 : 0));
        CHECK(truth.unknown.size() == (is == "unknown" ? 1 : 0));
        CHECK(truth.lost.size() == (is == "lost" ? 1 : 0));
        CHECK(truth.twice.size() == (is == "twice" ? 1 : 0));
        CHECK(truth.denied.size() == (is == "denied" ? 1 : 0));
    }
}

TEST_CASE("truth: what came is in the inbox once, or it is named") {
    const auto truth = rig::compare_received({"a", "b", "c", "d"}, {"c", "a", "of another", "c"});
    CHECK(truth.kept == 1);
    CHECK(truth.lost == std::vector<std::string>{"b", "d"});
    CHECK(truth.twice == std::vector<std::string>{"c"});
}
