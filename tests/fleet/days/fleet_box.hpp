/// One box of a simulated fleet: its real store and its real desk, and modems that are no more than a
/// time for each message.
///
/// Time:    simulated; each box has its own date, and its own steady clock where it was suspended.
/// Threads: one.
#pragma once

#include "db/sqlite_store.hpp"
#include "src/cluster/desk.hpp"
#include "src/line/sim_quota.hpp"
#include "tests/db/store_doubles.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

/// What can be seen of a box from outside.
class FleetWitness : public Interface {
public:
    /// An attempt of the message with this text is on the box's disk.
    virtual void begins(std::size_t box, const std::string& text) = 0;
    /// Its PDU is at the network.
    virtual void leaves(std::size_t box, const std::string& text) = 0;
    /// A committed event.
    virtual void says(std::size_t box, const Event& event) = 0;
    /// A question of another box, which it answers.
    virtual void hears(std::size_t /*box*/, const ports::BoxQuestion& /*question*/) {}
    /// The process ends now: what is on its disk is all that there will be.
    virtual void dies(std::size_t box) = 0;
};

/// How a process ends.
struct BoxEnd {
    int after = 0;                   ///< steps of the box in which something was done
    bool before_its_commit = false;  ///< of what the last of them asked the store
};

struct NewText {
    std::string to = {};
    std::string text = {};
    Level level = 3;
    std::chrono::seconds life{0};
    bool sticky = false;
    bool report = false;            ///< asks for a status report
    std::chrono::seconds after{0};  ///< it waits at its box for so long
};

class FleetBox {
public:
    static constexpr std::size_t modems = 3;
    /// The PDU, after the attempt began; then the answer, likewise.
    static constexpr std::chrono::milliseconds leaves_after{300};
    static constexpr std::chrono::milliseconds service{3'000};
    /// Of a modem, where its box may not begin what waits.
    static constexpr std::chrono::milliseconds rest{500};

    /// `place`: from 0; its number is the next one. `parent`: of its files. All outlive the object.
    FleetBox(std::size_t place, ports::ClusterEngine& engine,
             const cluster::FleetSettings& settings, FleetWitness& witness,
             const std::filesystem::path& parent);
    FleetBox(const FleetBox&) = delete;
    FleetBox& operator=(const FleetBox&) = delete;

    void advance_to(SteadyTime now);
    void move_date(std::chrono::milliseconds by) { clock_.set_date(clock_.wall() + by); }
    /// Does what is due; true: something was done.
    bool step();
    /// When its desk wants to be stepped, by the world's clock; not while it is suspended.
    [[nodiscard]] SteadyTime desk_due() const {
        return !runs() || is_frozen_ || desk_due_ == never
                   ? never
                   : desk_due_ + std::chrono::duration_cast<SteadyTime::duration>(lag_);
    }

    /// The process ends: what was not committed is lost.
    void kill(BoxEnd end);
    /// An end that was ordered and has not come does not come.
    void spare() { end_.reset(); }
    void start();
    [[nodiscard]] bool runs() const { return store_ != nullptr; }
    /// The process stops: its connection stays, and what the modems have in flight leaves.
    void freeze() { is_frozen_ = true; }
    void thaw() { is_frozen_ = false; }
    [[nodiscard]] bool is_frozen() const { return is_frozen_; }
    /// As freeze(), and the steady clock stops too.
    void suspend();
    void resume();

    /// As a client submits it; nullopt: it was refused.
    std::optional<MessageId> submit(const NewText& text);

    /// A person orders to send nothing more to a number, or to send again; `answered` comes if the process does not end
    /// before. False: it is not on the disk.
    bool order(const std::string& number, bool holds, std::function<void(Kept)> answered);
    [[nodiscard]] bool is_opted_out(const std::string& number);
    /// The engine does not have the newest order of this box yet.
    [[nodiscard]] bool has_own_order(const std::string& number);
    [[nodiscard]] ports::RulesPlace rules_place();

    /// From now on its modems share one slot, and send by the SIM that is in it, which has this limit.
    void insert(std::string iccid, std::uint32_t limit, QuotaWindow window = QuotaWindow::month);
    void take_out();
    /// A status report of a message to this number comes to the SIM that is in the slot.
    void hear_report(const std::string& to);
    /// Reports that spoke of no message of this box.
    [[nodiscard]] std::size_t strays();
    /// Another box that has its SIM, too; empty: none, as far as is known.
    [[nodiscard]] const std::string& sim_is_in() const { return sim_is_in_; }
    /// As a further line would with a SIM that it sees. A start forgets it.
    void follow_sim(ModemId line, std::string iccid, std::function<void(ports::SimShare)> told) {
        desk_->follow_sim(line, {.iccid = std::move(iccid), .group = "default"}, std::move(told));
    }
    void leave_sim(ModemId line) { desk_->leave_sim(line); }

    /// What it says of its work; its messages are added.
    cluster::BoxWork work = {.groups = {"default"}};
    /// By which it wakes and parks others; null: it does not.
    ports::BoxPower* power = nullptr;
    /// What it was ordered to hand over to, and by which box; refused with these words, unless they are empty.
    std::vector<std::pair<std::string, std::string>> upgrades = {};
    std::string refuses_upgrade = {};
    std::string upgrade_noted = {};  ///< on its disk
    std::string program = "old";     ///< hash of what it runs
    /// That it was asked by other boxes. Late: they are answered only by order.
    int questions = 0;
    bool answers_late = false;
    void answer_the_first() { late_.at(0)({.body = "late"}); }
    /// What its scaler said.
    std::vector<std::string> decided = {};

    [[nodiscard]] Result<ports::MessageRow> row(MessageId id);
    /// nullopt: this box does not know it.
    [[nodiscard]] std::optional<ports::FleetRow> place_of(MessageId id);
    [[nodiscard]] const cluster::FleetDesk& desk() const { return *desk_; }
    [[nodiscard]] cluster::FleetDesk& desk() { return *desk_; }
    [[nodiscard]] bool is_still() const;

private:
    void answer(const ports::BoxQuestion& question,
                const std::function<void(ports::BoxAnswer)>& done);

    struct Modem {
        std::optional<AttemptId> attempt = {};
        MessageId message = {};
        std::string text = {};
        SteadyTime leaves_at = {};
        SteadyTime answers_at = {};
        SteadyTime rests_until = {};
        bool has_left = false;
    };
    struct Listener final : ports::StoreListener {
        explicit Listener(FleetBox& owner) : box(owner) {}
        void committed(std::span<const Event> events, std::span<const ports::InboxRow>) override;
        void work_waits(GroupId, Level) override {}
        FleetBox& box;
    };

    /// That of the test, if there is one by now.
    struct Power final : ports::BoxPower {
        explicit Power(FleetBox& owner) : box(owner) {}
        [[nodiscard]] bool is_there() const override {
            return box.power != nullptr && box.power->is_there();
        }
        void order(ports::PowerOrder what, std::string name, ports::Done<void> done) override {
            box.power->order(what, std::move(name), std::move(done));
        }
        FleetBox& box;
    };

    [[nodiscard]] cluster::BoxWork work_now() const;
    void share_sim();
    void write();
    void end();
    void give_up(MessageId id, std::function<void(Result<>)> done);
    void expire(SteadyTime now);
    void send_out(SteadyTime now);
    void send(Modem& modem, SteadyTime now);
    void begin(Modem& modem, SteadyTime now);
    [[nodiscard]] std::optional<OutMessage> first_queued();
    [[nodiscard]] std::vector<cluster::GroupPace> groups();

    template <typename Command>
    std::optional<Result<typename Command::Answer>> ask(Command command);
    template <typename Reader, typename Question>
    auto look(Question question);

    const std::size_t place_;
    ports::ClusterEngine& engine_;
    const cluster::FleetSettings settings_;
    FleetWitness& witness_;
    TempDir folder_;
    int generation_ = 0;  // of the files; a kill leaves a copy of them
    ManualClock clock_;
    std::chrono::nanoseconds lag_{0};  // of the steady clock, by suspends
    std::optional<SteadyTime> suspended_ = {};
    SteadyTime now_ = {};  // of the world
    bool is_frozen_ = false;
    std::optional<BoxEnd> end_ = {};
    SteadyTime expires_at_ = {};  // overdue messages are looked for
    QuietLog log_;
    InlineExecutor readers_;
    NoWaiter writer_waiter_;
    NoWaiter desk_waiter_;
    Listener listener_{*this};
    Power power_{*this};
    bool is_ending_ = false;
    ports::StoreRules rules_;
    std::unique_ptr<db::SqliteStore> store_;
    std::unique_ptr<cluster::FleetDesk> desk_;
    SteadyTime desk_due_ = {};
    int desk_woken_ = 0;  // of desk_waiter_, as it was stepped last
    // Answers to a desk that was killed still come: it exists as long as they may.
    std::vector<std::unique_ptr<cluster::FleetDesk>> dead_;
    std::array<Modem, modems> lines_ = {};
    GroupId group_ = {};
    std::unique_ptr<line::SimQuota> quota_ = {};  // null: its modems have SIMs without limits
    QuotaLimits sim_limits_ = {};
    std::string iccid_ = {};  // empty: the slot is empty
    SimId sim_ = {1};
    std::string sim_is_in_ = {};
    std::vector<std::function<void(ports::BoxAnswer)>> late_ = {};
    std::uint8_t reports_ = 0;
};

}  // namespace smsrack::test
