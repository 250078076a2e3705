// One modem that has always something to send, and a message comes in each second: it is read at once, and sending hardly notices.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::InboundStep;

namespace {

constexpr auto length = 120s;
constexpr auto service = 800ms;
constexpr int messages = 200;       // 150 would last for two minutes
constexpr std::size_t places = 20;  // of the SIM, and of the memory of reports
constexpr auto patience = 60s;

struct Listens final : notify::EventSubscriber {
    void events_wait() override {}
};

struct Pace {
    int submits = 0;                                     ///< within the two minutes
    std::vector<std::chrono::milliseconds> waited = {};  ///< from the modem to the inbox
    std::size_t most_stored = 0;                         ///< in the SIM
    std::size_t most_reports = 0;                        ///< in the memory of reports
};

class Line {
public:
    explicit Line(bool no_sr)
        : world_(
              {.modems = 1, .seed = 3, .service = service, .sim_places = places, .no_sr = no_sr}) {
        REQUIRE(world_.run_until_ready());
        seen_ = world_.stream().subscribe(listens_);
    }

    Pace run(bool comes_in) {
        std::vector<intake::SubmitRequest> requests;
        for (int i = 0; i < messages; ++i) {
            requests.push_back(
                {.to = fmt::format("+3367{:07}", i), .text = "hello", .report = true});
        }
        (void)world_.send_all(requests);
        const SteadyTime start = world_.clock.steady();
        for (auto second = 0s; second < length; second += 1s) {
            if (comes_in) {
                offer();
            }
            look_until(start + second + 1s);
        }
        pace_.submits = static_cast<int>(world_.modems.journal.submits.size());
        look_until(world_.clock.steady() + patience);
        find_waits();
        return pace_;
    }

private:
    void offer() {
        const std::uint64_t id = ++offered_;
        REQUIRE(world_.modems.modem(0).offer(world_.clock.steady(),
                                             {.id = id,
                                              .from = fmt::format("+3369{:07}", id),
                                              .text = fmt::format("inbound {}", id)}));
    }
    void look_until(SteadyTime until) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(until - world_.clock.steady());
        (void)world_.run(left, [this] {
            look();
            return false;
        });
    }
    void look() {
        const modem_sim::Core& core = world_.modems.modem(0).model().core();
        pace_.most_stored = std::max(pace_.most_stored, core.card.sms.used());
        pace_.most_reports = std::max(pace_.most_reports, core.reports.used());
        const auto news = world_.stream().after(seen_, 1'000);
        REQUIRE(news);
        for (const Event& event : news->events) {
            seen_ = event.seq;
            if (event.type == EventType::message_received) {
                kept_[event.inbox.value] = world_.clock.steady();
            }
        }
    }
    void find_waits() {
        std::map<std::uint64_t, SteadyTime> came;
        for (const InboundStep& step : world_.modems.journal.inbound) {
            if (step.what == InboundStep::What::stored || step.what == InboundStep::What::given) {
                came.try_emplace(step.id, step.at);
            }
        }
        CHECK(came.size() == offered_);
        for (const auto& row : world_.inbox()) {
            const std::uint64_t id = std::stoull(row.content.text.substr(8));
            pace_.waited.push_back(
                std::chrono::ceil<std::chrono::milliseconds>(kept_.at(row.id.value) - came.at(id)));
        }
        CHECK(pace_.waited.size() == offered_);
        std::ranges::sort(pace_.waited);
    }

    test::World world_;
    Listens listens_;
    EventSeq seen_ = {};
    std::uint64_t offered_ = 0;
    std::map<std::int64_t, SteadyTime> kept_;  // by inbox row
    Pace pace_;
};

}  // namespace

TEST_CASE("a busy line reads what comes in: within 3 s, no memory over 60 %, at 85 % of its rate") {
    for (const bool no_sr : {false, true}) {
        CAPTURE(no_sr);
        const Pace alone = Line(no_sr).run(false);
        const Pace both = Line(no_sr).run(true);
        CHECK(alone.submits > length / service * 8 / 10);
        CHECK(both.submits * 100 >= alone.submits * 85);
        CHECK(both.most_stored * 100 <= places * 60);
        CHECK(both.most_reports * 100 <= places * 60);
        REQUIRE(both.waited.size() == static_cast<std::size_t>(length / 1s));
        const auto p95 = both.waited.at(both.waited.size() * 95 / 100);
        MESSAGE(
            fmt::format("{}: {} submits, {} alone; p95 {} ms, longest {} ms; {} of {} places, "
                        "{} reports",
                        no_sr ? "+CDS" : "SR", both.submits, alone.submits, p95.count(),
                        both.waited.back().count(), both.most_stored, places, both.most_reports));
        CHECK(p95 <= 3s);
    }
}
