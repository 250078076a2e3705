/// One box of a simulated fleet: its real store and its real desk, and modems that are no more than a
/// time for each message.
///
/// Time:    simulated; each box has its own date.
/// Threads: one.
#pragma once

#include "db/sqlite_store.hpp"
#include "src/cluster/desk.hpp"
#include "tests/db/store_doubles.hpp"
#include "tests/db/temp_folder.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::test {

class FleetBox {
public:
    static constexpr std::size_t modems = 3;
    /// The PDU, after the attempt began; then the answer, likewise.
    static constexpr std::chrono::milliseconds leaves_after{300};
    static constexpr std::chrono::milliseconds service{1'000};

    /// `at_network` gets the text of each message whose PDU leaves. `engine` outlives the object.
    FleetBox(std::int32_t number, ports::ClusterEngine& engine,
             const cluster::FleetSettings& settings,
             std::function<void(const std::string& text)> at_network);

    void advance_to(SteadyTime now) { clock_.advance_to(now); }
    void move_date(std::chrono::milliseconds by) { clock_.set_date(clock_.wall() + by); }
    /// Does what is due now; true: something was done.
    bool step(SteadyTime now);

    /// The process ends at once: what was not committed is lost.
    void kill();
    void start();
    [[nodiscard]] bool runs() const { return store_ != nullptr; }

    /// As a client submits it; nullopt: it was refused.
    std::optional<MessageId> submit(const std::string& text);

    [[nodiscard]] Result<ports::MessageRow> row(MessageId id);
    /// State and stage, in words.
    [[nodiscard]] std::string says_of(MessageId id);
    [[nodiscard]] ports::FleetCounts counts();
    [[nodiscard]] const cluster::FleetDesk& desk() const { return *desk_; }
    [[nodiscard]] bool is_still() const;
    [[nodiscard]] std::uint64_t conflicts() const { return conflicts_; }

private:
    struct Modem {
        std::optional<AttemptId> attempt = {};
        MessageId message = {};
        std::string text = {};
        SteadyTime leaves_at = {};
        SteadyTime answers_at = {};
        bool has_left = false;
    };

    void write();
    void give_up(MessageId id, std::function<void(Result<>)> done);
    void send(Modem& modem, SteadyTime now);
    void begin(Modem& modem, SteadyTime now);
    [[nodiscard]] std::optional<OutMessage> first_queued();
    [[nodiscard]] std::vector<cluster::GroupPace> groups();

    template <typename Command>
    std::optional<Result<typename Command::Answer>> ask(Command command);
    template <typename Reader, typename Question>
    auto look(Question question);

    const std::int32_t number_;
    ports::ClusterEngine& engine_;
    const cluster::FleetSettings settings_;
    std::function<void(const std::string&)> at_network_;
    TempFolder folder_;
    int generation_ = 0;  // of the files; a kill leaves a copy of them
    ManualClock clock_;
    QuietLog log_;
    InlineExecutor readers_;
    NoWaiter writer_waiter_;
    NoWaiter desk_waiter_;
    Heard heard_;
    ports::StoreRules rules_;
    std::unique_ptr<db::SqliteStore> store_;
    std::unique_ptr<cluster::FleetDesk> desk_;
    // Answers to a desk that was killed still come: it exists as long as they may.
    std::vector<std::unique_ptr<cluster::FleetDesk>> dead_;
    std::array<Modem, modems> lines_ = {};
    GroupId group_ = {};
    std::uint64_t conflicts_ = 0;
};

}  // namespace smsrack::test
