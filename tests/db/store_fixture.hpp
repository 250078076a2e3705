/// A store on a folder of its own, whose writing thread is the test.
#pragma once

#include "db/sqlite_store.hpp"
#include "src/results/assembly_rule.hpp"
#include "src/results/repeat_rule.hpp"
#include "tests/db/store_doubles.hpp"
#include "tests/db/temp_folder.hpp"
#include "tests/support/error_table.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace smsrack::test {

class StoreFixture {
public:
    enum class Begin { open, closed };

    explicit StoreFixture(db::SqliteStoreSettings settings = {}, Begin begin = Begin::open)
        : settings_(std::move(settings)) {
        if (settings_.path.empty()) {
            settings_.path = folder.file("smsrack.db");
        }
        if (begin == Begin::open) {
            open();
        }
    }

    [[nodiscard]] Result<std::unique_ptr<db::SqliteStore>> try_open() {
        return db::SqliteStore::open(settings_, {.rules = rules,
                                                 .listener = heard,
                                                 .readers = executor,
                                                 .waiter = waiter,
                                                 .clock = clock,
                                                 .log = log,
                                                 .guard = guard});
    }
    void open() {
        auto opened = try_open();
        REQUIRE(opened);
        store = *std::move(opened);
    }
    /// `boot`: the machine was switched off meanwhile.
    void reopen_after(const std::string& boot) {
        settings_.boot = boot;
        reopen();
    }
    void reopen() {
        store.reset();
        open();
    }

    /// Steps the writer until nothing waits.
    void run() {
        while (store->writer().step(clock.steady()) != never) {
        }
    }

    /// Posts one command, and gives its answer.
    template <typename Command>
    Result<typename Command::Answer> ask(Command command) {
        using Answer = Result<typename Command::Answer>;
        std::optional<Answer> answer;
        store->post(std::move(command), [&](Answer given) { answer.emplace(std::move(given)); });
        run();
        REQUIRE(answer.has_value());
        return *std::move(answer);
    }

    [[nodiscard]] NewMessage message(std::string to = "+33612345678",
                                     std::string text = "hello") const {
        NewMessage m;
        m.body.to = std::move(to);
        m.body.text = std::move(text);
        m.created_at = clock.wall();
        m.expires_at = clock.wall() + std::chrono::hours(24);
        return m;
    }
    Result<ports::Accepted> accept(NewMessage m) { return ask(ports::Accept{std::move(m)}); }
    MessageId accepted(NewMessage m) {
        const auto answer = accept(std::move(m));
        REQUIRE(answer);
        return answer->id;
    }
    MessageId accepted() { return accepted(message()); }

    Result<AttemptId> begin(MessageId id, std::uint8_t segment = 0, std::uint8_t segments = 1) {
        return ask(ports::BeginAttempt{
            .message = id,
            .segment = segment,
            .segments = segments,
            .concat_ref = segments > 1 ? std::optional<std::uint16_t>(77) : std::nullopt,
            .modem = "m0",
            .sim = sim,
            .at = clock.wall()});
    }
    Result<ports::AttemptApplied> end(ports::EndAttempt end) { return ask(std::move(end)); }
    [[nodiscard]] ports::EndAttempt taken(MessageId id, AttemptId attempt, std::uint8_t segment,
                                          std::uint8_t tp_mr) const {
        return {.attempt = attempt,
                .message = id,
                .segment = segment,
                .outcome = {.kind = OutcomeKind::accepted, .tp_mr = tp_mr, .has_tp_mr = true},
                .event = MessageEvent::accepted,
                .at = clock.wall()};
    }
    [[nodiscard]] ports::EndAttempt silent(MessageId id, AttemptId attempt,
                                           std::uint8_t segment = 0) const {
        return {.attempt = attempt,
                .message = id,
                .segment = segment,
                .outcome = {.kind = OutcomeKind::unknown},
                .event = MessageEvent::silence,
                .at = clock.wall(),
                .due_at = clock.wall() + std::chrono::seconds(900),
                .detail = "no_answer"};
    }
    [[nodiscard]] ports::EndAttempt refused(MessageId id, AttemptId attempt,
                                            std::uint8_t segment = 0) const {
        return {
            .attempt = attempt,
            .message = id,
            .segment = segment,
            .outcome = {.kind = OutcomeKind::refused, .cause = {.kind = CodeKind::cms, .code = 42}},
            .event = MessageEvent::not_sent,
            .at = clock.wall(),
            .due_at = clock.wall() + std::chrono::seconds(5),
            .counts_as_failure = true,
            .detail = "congestion"};
    }
    Result<MessageState> finish(MessageId id, MessageEvent event, const char* detail = "") {
        return ask(ports::FinishMessage{id, event, detail, clock.wall()});
    }
    /// Up to `limit` scheduled ones, and as many between two attempts of each level of the first groups.
    std::vector<OutMessage> take_due(std::size_t limit = 10) {
        ports::DueWishes wishes{.scheduled = limit};
        for (const std::int32_t group : {1, 2, 3}) {
            for (Level level = 0; level < level_count; ++level) {
                wishes.retries.push_back({.group = GroupId{group}, .level = level, .limit = limit});
            }
        }
        auto taken = ask(ports::TakeDue{clock.wall(), std::move(wishes)});
        REQUIRE(taken);
        return *std::move(taken);
    }
    /// Sends a message of one segment.
    MessageId sent(std::uint8_t tp_mr, NewMessage m) {
        const MessageId id = accepted(std::move(m));
        const auto attempt = begin(id);
        REQUIRE(attempt);
        REQUIRE(end(taken(id, *attempt, 0, tp_mr)));
        return id;
    }
    MessageId sent(std::uint8_t tp_mr) { return sent(tp_mr, message()); }

    [[nodiscard]] StatusReport report(std::uint8_t tp_mr, std::uint8_t tp_status = 0) {
        StatusReport r;
        r.modem = "m0";
        r.sim = sim;
        r.tp_mr = tp_mr;
        r.recipient = "+33612345678";
        r.tp_status = tp_status;
        r.fingerprint[0] = ++fingerprints_;
        r.fingerprint[1] = 1;
        r.received_at = clock.wall();
        return r;
    }
    Result<ReportKept> keep(StatusReport r) { return ask(ports::KeepReport{std::move(r)}); }
    [[nodiscard]] InboundSegment inbound(std::string text, std::optional<ConcatInfo> concat = {}) {
        InboundSegment s;
        s.modem = "m0";
        s.sim = sim;
        s.from = "+33612345678";
        s.payload = std::move(text);
        s.concat = concat;
        s.raw = "raw";
        s.fingerprint[0] = ++fingerprints_;
        s.fingerprint[1] = 2;
        s.received_at = clock.wall();
        return s;
    }
    Result<InboundKept> keep(InboundSegment s) { return ask(ports::KeepInbound{std::move(s)}); }

    /// Asks one question: a Result, of a Reader&.
    template <typename Reader = ports::StoreReader, typename Question>
    auto look(Question question) {
        using Answer = std::invoke_result_t<Question&, Reader&>;
        std::optional<Answer> answer;
        store->ask(std::move(question), [&](Answer given) { answer.emplace(std::move(given)); });
        REQUIRE(answer.has_value());
        return *std::move(answer);
    }
    std::vector<ports::UncertainAttempt> uncertain_attempts() {
        auto found = look([](ports::StoreReader& r) { return r.uncertain({}, 10); });
        REQUIRE(found);
        return *std::move(found);
    }
    ports::MessageDetail detail(MessageId id) {
        auto found = look([&](ports::StoreReader& reader) { return reader.message(id); });
        REQUIRE(found);
        return *std::move(found);
    }
    MessageState state(MessageId id) { return detail(id).message.state; }
    std::vector<MessageState> history(MessageId id) {
        std::vector<MessageState> states;
        for (const Event& event : detail(id).history) {
            states.push_back(event.state);
        }
        return states;
    }
    std::int64_t count(MessageState of) const {
        return store->counts().at(static_cast<std::size_t>(of));
    }

    TempFolder folder;
    ManualClock clock;
    GuardedClock* guard = nullptr;  ///< of the next store that is opened
    QuietLog log;
    InlineExecutor executor;
    NoWaiter waiter;
    Heard heard;
    ports::StoreRules rules{.errors = &error_table,
                            .choose_report = choose_by_number,
                            .judge_segment = results::judge_segment,
                            .judge_report = results::judge_report,
                            .choose_assembly = results::choose_assembly,
                            .join_segments = join_plainly};
    SimId sim{1};
    std::unique_ptr<db::SqliteStore> store;

private:
    db::SqliteStoreSettings settings_;
    std::uint8_t fingerprints_ = 0;
};

}  // namespace smsrack::test
