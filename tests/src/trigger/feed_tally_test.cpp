#include "src/trigger/feed_tally.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using trigger::FeedTally;
using trigger::TriggerView;
using trigger::Verdict;

namespace {

TriggerView view_of(const FeedTally& tally, std::string label = "welcome:2026-11-21") {
    TriggerView view{.batch_label = std::move(label)};
    tally.show(view);
    return view;
}

}  // namespace

TEST_CASE("FeedTally: each verdict counts once for all and once for the event's tag") {
    FeedTally tally({.share = 0.05, .share_by_tag = {{"beta", 1.0}, {"staff", 0.5}}});
    tally.count(Verdict::fresh, 0, 1, {});
    tally.count(Verdict::seen, 1, 2, {});
    tally.count(Verdict::fresh, 2, 3, {});
    tally.count(Verdict::fresh, 2, 4, {});
    const TriggerView view = view_of(tally);
    CHECK(view.counts.of(Verdict::fresh) == 3);
    CHECK(view.counts.of(Verdict::seen) == 1);
    struct Row {
        std::optional<std::string> tag;
        double share;
        std::uint64_t fresh;
        std::uint64_t seen;
    };
    const std::vector<Row> rows{{"beta", 1.0, 1, 0}, {"staff", 0.5, 0, 1}, {{}, 0.05, 2, 0}};
    REQUIRE(view.tags.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(i);
        CHECK(view.tags[i].tag == rows[i].tag);
        CHECK(view.tags[i].share == rows[i].share);
        CHECK(view.tags[i].counts.of(Verdict::fresh) == rows[i].fresh);
        CHECK(view.tags[i].counts.of(Verdict::seen) == rows[i].seen);
    }
}

TEST_CASE("FeedTally: where the share is one for all tags, none is shown") {
    FeedTally tally({.share = 0.5});
    tally.count(Verdict::fresh, 0, 1, {});
    CHECK(view_of(tally).tags.empty());
}

TEST_CASE("FeedTally: the last events that were bad are named, not the first") {
    FeedTally tally({});
    constexpr std::uint64_t events = trigger::bad_samples_max + 5;
    for (std::uint64_t line = 1; line <= events; ++line) {
        tally.count(Verdict::bad, 0, line, "line " + std::to_string(line));
        tally.count(Verdict::seen, 0, line, {});
    }
    const auto samples = view_of(tally).counts.samples;
    REQUIRE(samples.size() == trigger::bad_samples_max);
    CHECK(samples.front().line == 6);
    CHECK(samples.front().why == "line 6");
    CHECK(samples.back().line == events);
}

TEST_CASE("FeedTally: what cache and index decided is counted apart") {
    FeedTally tally({});
    tally.count_cached();
    tally.count_cached();
    tally.count_looked_up(5);
    tally.count_looked_up(7);
    tally.count_false_hit();
    const TriggerView view = view_of(tally);
    CHECK(view.cached == 2);
    CHECK(view.looked_up == 12);
    CHECK(view.false_hits == 1);
}

TEST_CASE("FeedTally: the last message's label is shown on its day alone") {
    struct Case {
        const char* what;
        const char* last;
        const char* shown;
    };
    for (const Case& c : {
             Case{"none was made yet", "", "welcome:2026-11-21"},
             Case{"the first batch of the day", "welcome:2026-11-21", "welcome:2026-11-21"},
             Case{"the first one was taken back", "welcome:2026-11-21.2", "welcome:2026-11-21.2"},
             Case{"yesterday's", "welcome:2026-11-20.3", "welcome:2026-11-21"},
         }) {
        CAPTURE(c.what);
        FeedTally tally({});
        tally.note_label(c.last);
        CHECK(view_of(tally).batch_label == c.shown);
    }
}
