// The scenario files that smsrack-sim plays in real time, played here in simulated time.
#include "tests/rack/support/world.hpp"
#include "tools/modem_sim/fault_order.hpp"
#include "tools/modem_sim/scenario.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr unsigned modems = 8;
constexpr auto between_messages = 500ms;

std::string number_of(std::size_t i) {
    return fmt::format("+3367{:07}", i);
}

class Player {
public:
    Player(test::World& world, const std::filesystem::path& file) : world_(world) {
        auto steps = modem_sim::read_scenario(file, modems);
        REQUIRE_MESSAGE(steps, (steps ? std::string() : steps.error().context));
        steps_ = *std::move(steps);
    }

    /// All of it, with a steady load of messages; then what lasts is ended, as `calm` does.
    void play() {
        const SteadyTime start = world_.clock.steady();
        auto step = steps_.begin();
        const auto end = steps_.back().at + 60s;
        for (auto at = 0ms; at < end; at += between_messages) {
            for (; step != steps_.end() && step->at <= at; ++step) {
                run_to(start + step->at);
                order(step->order);
            }
            run_to(start + at);
            ids_.push_back(world_.send(number_of(ids_.size()), "hello"));
        }
        REQUIRE(step == steps_.end());
        for (const modem_sim::FaultRow& row : modem_sim::faults()) {
            if (row.ended_by) {
                inject_all({.kind = *row.ended_by});
            }
        }
    }

    [[nodiscard]] const std::vector<MessageId>& ids() const { return ids_; }
    [[nodiscard]] const std::vector<std::string>& inbound() const { return inbound_; }
    [[nodiscard]] int undecodable() const { return undecodable_; }

private:
    void run_to(SteadyTime at) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(at - world_.clock.steady());
        world_.run_for(std::max(left, 0ms));
    }
    void inject_all(const modem_sim::Fault& fault) {
        for (unsigned modem = 0; modem < modems; ++modem) {
            world_.modems.modem(modem).inject(world_.clock.steady(), fault);
        }
    }
    void order(const wire::Json& order) {
        const auto what = order.value("do", "");
        const int modem = order.value("modem", -1);
        if (what == "inbound") {
            return come_in(order, modem);
        }
        const modem_sim::FaultRow* row = modem_sim::find_fault(what);
        REQUIRE_MESSAGE(row != nullptr, what << " is no order that this player knows");
        const auto fault = modem_sim::fault_from(order, *row);
        REQUIRE(fault);
        undecodable_ += fault->kind == modem_sim::FaultKind::undecodable ? fault->count : 0;
        if (modem < 0) {
            inject_all(*fault);
        } else {
            world_.modems.modem(static_cast<std::size_t>(modem))
                .inject(world_.clock.steady(), *fault);
        }
    }
    void come_in(const wire::Json& order, int modem) {
        for (int i = 0; i < order.value("count", 1); ++i) {
            const auto id = inbound_.size() + 1;
            std::string text = order.value("text", "inbound {id}");
            if (const auto at = text.find("{id}"); at != std::string::npos) {
                text.replace(at, 4, fmt::to_string(id));
            }
            const auto to =
                modem < 0 ? static_cast<std::size_t>(i) % modems : static_cast<std::size_t>(modem);
            REQUIRE(world_.modems.modem(to).offer(
                world_.clock.steady(),
                {.id = id, .from = fmt::format("+336110{:05}", id), .text = text}));
            inbound_.push_back(std::move(text));
        }
    }

    test::World& world_;
    std::vector<modem_sim::ScenarioStep> steps_;
    std::vector<MessageId> ids_;
    std::vector<std::string> inbound_;
    int undecodable_ = 0;
};

/// At most once at the network, unless it was in doubt; and what is said of it is true.
void check_message(test::World& world, MessageId id, std::string_view number) {
    const auto detail = world.detail(id);
    const auto at_network =
        std::ranges::count(world.modems.journal.submits, number, &test::Submitted::to);
    CAPTURE(message_state_name(detail.message.state));
    CAPTURE(detail.message.detail);
    CAPTURE(at_network);
    CHECK(is_final(detail.message.state));
    CHECK(at_network <= 1);  // no policy of these racks sends again what is in doubt
    if (detail.message.state == MessageState::failed &&
        detail.message.detail != "outcome_unknown") {
        CHECK(at_network == 0);
    } else if (detail.message.state == MessageState::delivered) {
        CHECK(at_network == 1);
    }
}

void check_inbox(test::World& world, const Player& player) {
    const auto rows = world.inbox();
    for (const std::string& text : player.inbound()) {
        CAPTURE(text);
        CHECK(std::ranges::count_if(
                  rows, [&](const auto& row) { return row.content.text == text; }) == 1);
    }
    CHECK(rows.size() == player.inbound().size() + static_cast<std::size_t>(player.undecodable()));
}

}  // namespace

TEST_CASE("scenario files: each day with faults ends with every message accounted for") {
    int played = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(SMSRACK_SOURCE_DIR "/tests/scenarios")) {
        CAPTURE(file.path().filename().string());
        test::World world({.modems = modems});
        REQUIRE(world.run_until_ready());
        Player player(world, file.path());
        player.play();
        const auto& ids = player.ids();
        std::size_t ended = 0;
        for (const SteadyTime until = world.clock.steady() + 1h;
             ended < ids.size() && world.clock.steady() < until; world.run_for(5s)) {
            while (ended < ids.size() && is_final(world.state(ids[ended]))) {
                ++ended;
            }
        }
        CHECK(ended == ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            check_message(world, ids[i], number_of(i));
        }
        check_inbox(world, player);
        ++played;
    }
    CHECK(played >= 3);
}
