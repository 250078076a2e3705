#include "tests/simulate/checkers.hpp"
#include "tests/simulate/ledger.hpp"

#include <fmt/format.h>
#include <map>

namespace smsrack::simulate {
namespace {

class Inbound final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "inbound"; }

    void offered(unsigned modem, std::uint64_t id, const std::string& text,
                 const std::string& iccid) override {
        offered_[text] = {.modem = modem, .id = id, .iccid = iccid};
    }

    /// Where its radio was off, or in the last moment, the network or the card may still have some of it.
    void sim_goes(const std::string& iccid, test::World& world) override {
        const auto rows = read(world);
        for (auto& [text, what] : offered_) {
            what.gone = what.gone || (what.iccid == iccid && !rows.contains(text));
        }
    }

    void settled(test::World& world) override {
        std::int64_t last = 0;
        auto rows = read(world, &last);
        for (const auto& [text, what] : offered_) {
            if (const unsigned times = rows[text]; times > 1 || (times == 0 && !what.gone)) {
                throw Violation(
                    "inbound", fmt::format("inbound {} is in the inbox {} times", what.id, times),
                    {fmt::format("inbound {}", what.id), fmt::format("m{}", what.modem)});
            }
        }
        for (const auto& [text, times] : rows) {
            if (!offered_.contains(text)) {
                throw Violation("inbound", "the inbox has what nobody sent: " + text, {});
            }
        }
        last_ = std::max(last_, last);
        // What went with its SIM may come with it on another day.
        std::erase_if(offered_,
                      [&](const auto& one) { return !one.second.gone || rows.at(one.first) > 0; });
    }

private:
    /// How often each text is in the inbox, of this day; those that are marked as perhaps a repeat are not counted:
    /// a network that sends again while a line is down can't be told from a sender that does.
    std::map<std::string, unsigned> read(test::World& world, std::int64_t* last = nullptr) const {
        std::map<std::string, unsigned> rows;
        Ledger(world.store_file())
            .each(
                "SELECT id, content, maybe_repeat FROM inbox WHERE id > ? AND undecodable = 0 "
                "ORDER BY id",
                {last_}, [&](const Row& row) {
                    rows[row.text(1)] += row.number(2) == 0 ? 1 : 0;
                    if (last != nullptr) {
                        *last = row.number(0);
                    }
                });
        return rows;
    }

    struct Offered {
        unsigned modem = 0;
        std::uint64_t id = 0;
        std::string iccid = {};
        bool gone = false;  ///< with its SIM, perhaps
    };

    std::int64_t last_ = 0;
    std::map<std::string, Offered> offered_;  // of this day, or gone on one before
};

}  // namespace

std::unique_ptr<Checker> inbound() {
    return std::make_unique<Inbound>();
}

}  // namespace smsrack::simulate
