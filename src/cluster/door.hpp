/// Where the rest of the box asks its desk: intake follows messages, the API looks and gives orders.
///
/// Threads: any; look() by the desk's, open() by its owner.
#pragma once

#include "src/cluster/desk.hpp"
#include "src/ports/box_power.hpp"
#include "src/ports/fleet.hpp"

#include <atomic>
#include <mutex>
#include <string>

namespace smsrack::cluster {

class FleetDoor final : public ports::FleetIntake, public ports::FleetControl {
public:
    /// `desk` and `power` outlive the object. `site`: of this box, for people.
    FleetDoor(FleetDesk& desk, const FleetSettings& settings, std::string site,
              ports::BoxPower& power);

    [[nodiscard]] std::optional<Error> refusal() const override;
    void follow(ports::Accepted accepted, ports::FleetChecks checks,
                ports::Done<ports::Accepted> done) override;

    [[nodiscard]] ports::FleetFacts facts() const override;
    [[nodiscard]] std::string name_of(BoxNumber box) const override;
    void set_life(std::string name, ports::BoxLife life, ports::Done<void> done) override;
    void declare_dead(std::string name, bool unfenced, ports::Done<bool> done) override;
    void rebuild(ports::Done<void> done) override;
    void upgrade(std::string name, ports::UpgradeOrder order, bool again,
                 ports::Done<void> done) override;
    void check(ports::Done<std::vector<ports::EngineFact>> done) override;
    void ask(std::string box, ports::BoxQuestion question, ports::BoxAsker by,
             ports::Done<ports::BoxAnswer> done) override;
    void cancel(MessageId message, ports::Done<MessageState> done) override;
    void follow_rules(ports::Done<Kept> done) override;

    /// Whether the desk has its thread: otherwise what would wait for it is refused at once.
    void open(bool is_open) { is_open_ = is_open; }

    /// Questions to other boxes get no answer any more: their clients hold up no hand-over.
    void end_questions();

    /// Keeps what the desk sees now, for those who ask.
    void look();

private:
    template <typename Command>
    void order(Command command, ports::Done<void> done);
    void cancel_here(MessageId message, bool only_here, ports::Done<MessageState> done);
    void settle(MessageId message, ports::Done<MessageState> done);
    [[nodiscard]] bool is_parked(const std::string& name) const;
    void order_life(std::string name, ports::BoxLife life, ports::Done<void> done);
    void fence(std::string name, ports::Done<bool> done);

    FleetDesk& desk_;
    ports::BoxPower& power_;
    std::atomic<bool> is_open_ = false;
    const FleetSettings settings_;
    mutable std::mutex mutex_;  // guards what follows
    ports::FleetFacts facts_;
};

}  // namespace smsrack::cluster
