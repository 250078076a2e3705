#include "tests/simulate/checkers.hpp"
#include "tests/simulate/ledger.hpp"

#include <fmt/format.h>
#include <map>

namespace smsrack::simulate {
namespace {

class Inbound final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "inbound"; }

    void offered(unsigned modem, std::uint64_t id, const std::string& text) override {
        offered_[text] = {modem, id};
    }

    void settled(test::World& world) override {
        std::map<std::string, unsigned> rows;
        const Ledger ledger(world.store_file());
        ledger.each("SELECT id, content FROM inbox WHERE id > ? AND undecodable = 0", {last_},
                    [&](const Row& row) {
                        last_ = std::max(last_, row.number(0));
                        ++rows[row.text(1)];
                    });
        for (const auto& [text, what] : offered_) {
            if (const unsigned times = rows[text]; times != 1) {
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
        offered_.clear();
    }

private:
    struct Offered {
        unsigned modem = 0;
        std::uint64_t id = 0;
    };

    std::int64_t last_ = 0;
    std::map<std::string, Offered> offered_;  // of this day
};

}  // namespace

std::unique_ptr<Checker> inbound() {
    return std::make_unique<Inbound>();
}

}  // namespace smsrack::simulate
