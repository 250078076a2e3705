/// Reports to the checkers what is visible of a world from outside, between any two turns, and
/// keeps its story.
#pragma once

#include "src/notify/event_stream.hpp"
#include "tests/days/checkers/checkers.hpp"
#include "tests/days/story.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::days {

class Watch {
public:
    /// `world` outlives it. `only`: of this rule alone it is heard when it is broken; empty: of each.
    Watch(test::World& world, const RackRules& rules, std::string only = {});
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() = default;

    /// Does it; whether a rule is broken there counts only where it is one that is looked for.
    template <typename What>
    void heard(const What& what) const {
        try {
            what();
        } catch (const Violation& violation) {
            if (only_.empty() || violation.rule() == only_) {
                throw;
            }
        }
    }

    /// What is new since the last call.
    void look();
    /// Another process began: what the last one told is held against what this one has.
    void look_after_restart(const std::string& what);
    /// All that was begun must be over.
    void look_when_settled();
    /// What the database has by now becomes part of the story's fingerprint.
    void note_rows();
    /// The SIM in this modem is taken out now; it may come back.
    void sim_out(unsigned modem);
    /// The SIM in this modem is taken out now, for good.
    void sim_goes(unsigned modem);
    void quiet(bool now);
    void replaced(std::size_t lived, std::size_t begun);

    void asked(const std::string& to, const std::string& text);
    void offered_events(const std::vector<Pair>& pairs);
    void decided(const std::vector<Pair>& pairs, const Decision& decision);

    void accepted(const Told& told);
    void refused(const std::string& to, Level level);
    void gated(const std::string& line, bool open);
    void refusals_ordered(int code, int count);
    /// The network took it for the SIM in this modem.
    void offered(unsigned modem, const modem_sim::Inbound& message);
    void clock_set(std::chrono::milliseconds by);
    /// The machine is paused now for this long.
    void time_passes(const std::string& how, std::chrono::milliseconds length);
    /// For this long no time or order can be demanded.
    void disturbed(std::string who, std::string what, std::chrono::seconds length);

    [[nodiscard]] const Story& story() const { return story_; }
    [[nodiscard]] std::uint64_t at_network() const { return submits_seen_; }

private:
    /// As a thread that waits for the stream: woken when there is something.
    struct Listens final : notify::EventSubscriber {
        bool woken = true;
        void events_wait() override { woken = true; }
    };

    /// Each checker, where one finds fault too.
    template <typename What>
    void tell(const What& what) {
        for (const auto& checker : checkers_) {
            heard([&] { what(*checker); });
        }
    }
    void told(const Event& event);
    /// What the network took and gave, before what the service says of it.
    void look_at_modems();
    void look_at_inbound();
    [[nodiscard]] std::string card_in(unsigned modem) const;
    void read_missed();

    test::World& world_;
    Story story_;
    std::vector<std::unique_ptr<Checker>> checkers_;
    std::string only_;
    Listens listens_;
    EventSeq seen_ = {};
    std::size_t submits_seen_ = 0;
    std::size_t reports_seen_ = 0;
    std::size_t inbound_seen_ = 0;
};

}  // namespace smsrack::days
