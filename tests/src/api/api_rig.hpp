/// An Api for tests: its store answers when the test says so, its rack looks as the test says, and
/// its responders keep what they were given.
#pragma once

#include "src/api/api.hpp"
#include "src/api/routes.hpp"
#include "src/api/submit/refusal_notes.hpp"
#include "src/base/check.hpp"
#include "src/wire/json.hpp"
#include "tests/src/api/fake_triggers.hpp"
#include "tests/support/error_table.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/manual_executor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

/// Rows as the test put them.
class FakeReader final : public ports::StoreReader {
public:
    [[nodiscard]] Result<std::vector<OutMessage>> queued(GroupId, Level, EventSeq,
                                                         std::size_t) override {
        return {};
    }
    [[nodiscard]] Result<std::optional<WallTime>> next_due(WallTime) override {
        return std::optional<WallTime>();
    }
    [[nodiscard]] Result<ports::Expected> expects(SimId, WallTime, AttemptId) override {
        return ports::Expected{};
    }
    [[nodiscard]] Result<std::vector<ports::UncertainAttempt>> uncertain(std::optional<WallTime>,
                                                                         std::size_t) override {
        return {};
    }
    [[nodiscard]] Result<std::optional<WallTime>> longest_waiting() override {
        return oldest_waiting;
    }
    [[nodiscard]] Result<OutMessage> out_message(MessageId) override {
        return fail(Errc::not_found, "");
    }

    [[nodiscard]] Result<std::vector<ports::MessageRow>> messages(
        const ports::MessageFilter& filter) override {
        last_filter = filter;
        std::vector<ports::MessageRow> found;
        for (const ports::MessageRow& row : message_rows) {
            if (found.size() < filter.limit && (!filter.owner || row.owner == filter.owner) &&
                (filter.ref.empty() || row.ref == filter.ref) &&
                (filter.before.value == 0 || row.id < filter.before)) {
                found.push_back(row);
            }
        }
        return found;
    }
    /// Looks at `looked_at_max` rows.
    [[nodiscard]] Result<ports::FoundMessages> find_messages(const ports::MessageFilter& filter,
                                                             const ports::Wanted& wanted) override {
        last_filter = filter;
        ports::FoundMessages found;
        std::size_t looked_at = 0;
        for (const ports::MessageRow& row : message_rows) {
            if ((filter.owner && row.owner != filter.owner) ||
                (filter.before.value != 0 && row.id >= filter.before)) {
                continue;
            }
            if (looked_at++ == looked_at_max || found.rows.size() == filter.limit) {
                return found;
            }
            found.next = row.id;
            if (wanted(row.to, row.body.text)) {
                found.rows.push_back(row);
            }
        }
        found.next = {};
        return found;
    }
    [[nodiscard]] Result<ports::MessageDetail> message(MessageId id) override {
        ++histories_read;
        if (detail.message.id != id) {
            return fail(Errc::not_found, "no message has this id");
        }
        return detail;
    }
    [[nodiscard]] Result<ports::MessageRow> message_row(MessageId id) override {
        if (detail.message.id != id) {
            return fail(Errc::not_found, "no message has this id");
        }
        return detail.message;
    }
    [[nodiscard]] Result<std::vector<ports::InboxRow>> inbox(
        const ports::InboxFilter& filter) override {
        std::vector<ports::InboxRow> found;
        for (const ports::InboxRow& row : inbox_rows) {
            if (found.size() < filter.limit && row.id > filter.after) {
                found.push_back(row);
            }
        }
        return found;
    }
    [[nodiscard]] Result<ports::FoundInbox> find_inbox(const ports::InboxFilter& filter,
                                                       const ports::Wanted& wanted) override {
        ports::FoundInbox found;
        for (const ports::InboxRow& row : inbox_rows) {
            if (row.id > filter.after && wanted(row.from, row.content.text)) {
                found.rows.push_back(row);
            }
        }
        return found;
    }
    [[nodiscard]] Result<ports::InboxRow> inbox_row(InboxId id) override {
        const auto row = std::ranges::find(inbox_rows, id, &ports::InboxRow::id);
        return row == inbox_rows.end() ? Result<ports::InboxRow>(fail(Errc::not_found, "")) : *row;
    }
    [[nodiscard]] Result<ports::FoundConversations> conversations(
        const ports::ConversationPage& page) override {
        last_page = page;
        return conversation_rows;
    }
    /// Of the messages and the inbox.
    [[nodiscard]] Result<std::vector<ports::Said>> said(
        const std::string& number, const ports::ConversationPage& page) override {
        std::vector<ports::Said> found;
        for (const ports::MessageRow& row : message_rows) {
            if (row.to == number && (page.before == 0 || row.id.value < page.before)) {
                found.emplace_back(row);
            }
        }
        for (const ports::InboxRow& row : inbox_rows) {
            if (row.from == number && (page.before == 0 || row.id.value < page.before)) {
                found.emplace_back(row);
            }
        }
        std::ranges::sort(found, std::ranges::greater(), ports::id_of_said);
        found.resize(std::min(found.size(), page.limit));
        return found;
    }
    [[nodiscard]] Result<std::vector<Event>> events(EventSeq after, std::size_t limit) override {
        std::vector<Event> found;
        for (const Event& event : event_rows) {
            if (event.seq > after && found.size() < limit) {
                found.push_back(event);
            }
        }
        return found;
    }
    [[nodiscard]] Result<EventSeq> last_event() override {
        if (broken) {
            return fail(Errc::storage, "disk I/O error");
        }
        return event_rows.empty() ? EventSeq{} : event_rows.back().seq;
    }

    [[nodiscard]] Result<std::vector<Event>> events_of(EventScope of, EventSeq after,
                                                       std::size_t limit) override {
        std::vector<Event> found;
        for (const Event& event : event_rows) {
            if (of.has(event) && event.seq > after && found.size() < limit) {
                found.push_back(event);
            }
        }
        return found;
    }
    [[nodiscard]] Result<std::vector<ports::ClientRow>> clients(const std::string& after,
                                                                std::size_t limit) override {
        std::vector<ports::ClientRow> found;
        for (const ports::ClientRow& row : client_rows) {
            if (row.name > after && found.size() < limit) {
                found.push_back(row);
            }
        }
        return found;
    }
    [[nodiscard]] Result<ports::ClientRow> client(const std::string& name) override {
        const auto row = std::ranges::find(client_rows, name, &ports::ClientRow::name);
        return row == client_rows.end()
                   ? Result<ports::ClientRow>(fail(Errc::not_found, "no client has this name"))
                   : *row;
    }
    [[nodiscard]] Result<std::vector<ports::RefusalCount>> refusals(const std::string& client,
                                                                    std::size_t limit) override {
        std::vector<ports::RefusalCount> found;
        for (const ports::RefusalCount& row : refusal_rows) {
            if (row.client == client && found.size() < limit) {
                found.push_back(row);
            }
        }
        return found;
    }
    [[nodiscard]] Result<std::map<std::string, std::int64_t>> refused_messages() override {
        std::map<std::string, std::int64_t> sums;
        for (const ports::RefusalCount& row : refusal_rows) {
            sums[row.client] += row.count;
        }
        return sums;
    }
    [[nodiscard]] Result<std::vector<ports::Pause>> pauses() override { return {}; }
    [[nodiscard]] Result<std::vector<ports::BatchRow>> batches(BatchId before,
                                                               std::size_t limit) override {
        std::vector<ports::BatchRow> found;
        for (const ports::BatchRow& row : batch_rows) {
            if (found.size() < limit && (before.value == 0 || row.id < before)) {
                found.push_back(row);
            }
        }
        return found;
    }
    [[nodiscard]] Result<ports::BatchRow> batch(const std::string& name) override {
        const auto row = std::ranges::find(batch_rows, name, &ports::BatchRow::name);
        return row == batch_rows.end() ? Result<ports::BatchRow>(fail(Errc::not_found, "batch"))
                                       : *row;
    }
    [[nodiscard]] Result<std::vector<ports::OptOutRow>> opt_outs(const std::string& after,
                                                                 std::size_t limit) override {
        std::vector<ports::OptOutRow> found;
        for (const ports::OptOutRow& row : opt_out_rows) {
            if (found.size() < limit && row.number > after) {
                found.push_back(row);
            }
        }
        return found;
    }
    [[nodiscard]] Result<std::optional<ports::OptOutRow>> opt_out(
        const std::string& number) override {
        const auto row = std::ranges::find(opt_out_rows, number, &ports::OptOutRow::number);
        return row == opt_out_rows.end() ? std::nullopt : std::optional(*row);
    }

    std::vector<ports::ClientRow> client_rows;      // by name
    std::vector<ports::RefusalCount> refusal_rows;  // newest day first
    std::vector<ports::BatchRow> batch_rows;        // newest first
    std::vector<ports::OptOutRow> opt_out_rows;     // by number
    std::vector<ports::MessageRow> message_rows;    // newest first
    ports::MessageDetail detail;
    int histories_read = 0;
    std::vector<ports::InboxRow> inbox_rows;
    std::vector<Event> event_rows;
    ports::FoundConversations conversation_rows;  // whatever page is asked for
    ports::ConversationPage last_page;
    ports::MessageFilter last_filter;
    std::optional<WallTime> oldest_waiting;
    std::size_t looked_at_max = 1'000;  // of one search
    bool broken = false;
};

class FakeStore final : public ports::Store {
public:
    /// Answers the oldest Accept that waits, as after its commit.
    void commit_one(Result<ports::Accepted> result) {
        auto oldest = std::move(accepting.front());
        accepting.pop_front();
        oldest.answer(std::move(result));
    }
    void commit_all() {
        while (!accepting.empty()) {
            const NewMessage& next = accepting.front().command.message;
            if (next.admitted) {
                commit_one(ports::Accepted{.id = MessageId{++last_id}, .segments = next.segments});
            } else {
                commit_one(fail(Errc::overloaded, ""));
            }
        }
    }
    /// Runs the oldest read that waits.
    void read_one() {
        Job job = std::move(reads.front());
        reads.pop_front();
        job(&reader);
    }
    void read_all() {
        while (!reads.empty()) {
            read_one();
        }
    }

    [[nodiscard]] Result<GroupId> group_id(const std::string&) override { return GroupId{1}; }
    void note_answer(AttemptId, const SubmitOutcome&) override { SMSRACK_CHECK(false); }
    [[nodiscard]] ports::StateCounts counts() const override { return state_counts; }
    [[nodiscard]] ports::LevelCounts waiting() const override { return {}; }
    [[nodiscard]] ports::LevelCounts work(GroupId) const override { return work_counts; }

    std::deque<ports::Posted<ports::Accept>> accepting;
    std::deque<Job> reads;
    std::vector<MessageId> finished;
    std::vector<Event> kept_events;
    Result<MessageState> finish_result = MessageState::cancelled;
    std::vector<ports::ReplaceMessage> replaced;
    Result<ports::Accepted> replace_result = ports::Accepted{};
    ports::StateCounts state_counts = {};
    ports::LevelCounts work_counts = {};
    FakeReader reader;
    std::int64_t last_id = 0;

private:
    void read(Job job) override { reads.push_back(std::move(job)); }
    void take(Call&& call) override {
        std::visit([this](auto& posted) { on(posted); }, call);
    }
    void on(ports::Posted<ports::Accept>& posted) { accepting.push_back(std::move(posted)); }
    void on(ports::Posted<ports::KeepEvent>& posted) {
        kept_events.push_back(std::move(posted.command.event));
    }
    void on(ports::Posted<ports::ReplaceMessage>& posted) {
        replaced.push_back(posted.command);
        posted.answer(replace_result);
    }
    void on(ports::Posted<ports::CancelMessage>& posted) {
        finished.push_back(posted.command.message);
        posted.answer(finish_result);
    }
    /// The rest is not the API's.
    template <typename Command>
    void on(ports::Posted<Command>&) {
        SMSRACK_CHECK(false);
    }
};

/// Answers at once, and keeps what it was asked.
class FakeControl final : public ports::ControlStore {
public:
    std::vector<std::string> asked;
    Result<bool> answer = true;

private:
    void take(Call&& call) override {
        std::visit([this](auto& posted) { on(posted); }, call);
    }
    void on(ports::Posted<ports::SetPause>& posted) {
        const auto& [scope, name, paused, at] = posted.command;
        asked.push_back((paused ? "pause " : "resume ") +
                        std::string(ports::pause_scope_names.at(static_cast<std::size_t>(scope))) +
                        " " + name);
        posted.answer(answer);
    }
    void on(ports::Posted<ports::CancelBatch>& posted) {
        const auto& [name, at, create] = posted.command;
        asked.push_back((create ? "create and cancel " : "cancel ") + name);
        if (!answer) {
            return posted.answer(std::unexpected(answer.error()));
        }
        posted.answer(ports::BatchRow{.name = name, .cancelled_at = at, .cancelling = true});
    }
    void on(ports::Posted<ports::OptOut>& posted) {
        asked.push_back("opt_out " + posted.command.number);
        posted.answer(answer);
    }
    void on(ports::Posted<ports::OptIn>& posted) {
        asked.push_back("opt_in " + posted.command.number);
        posted.answer(answer);
    }
    /// The rest is not the API's.
    template <typename Command>
    void on(ports::Posted<Command>&) {
        SMSRACK_CHECK(false);
    }
};

/// Rows in memory, as the store keeps them: the rules of the true one are its own tests'.
class FakeClients final : public ports::ClientStore {
public:
    explicit FakeClients(FakeReader& reader) : reader_(reader) {}

    std::vector<ports::RegisterClient> arrivals;
    std::vector<ports::NoteRefusals> noted;
    std::optional<Error> refusal;

private:
    void take(Call&& call) override {
        std::visit([this](auto& posted) { on(posted); }, call);
    }
    void on(ports::Posted<ports::RegisterClient>& posted) {
        const ports::RegisterClient& arrival = arrivals.emplace_back(posted.command);
        if (refusal) {
            return posted.answer(std::unexpected(*refusal));
        }
        ports::ClientRow* row = find(arrival.name);
        const EventSeq last =
            reader_.event_rows.empty() ? EventSeq{} : reader_.event_rows.back().seq;
        if (row == nullptr) {
            row = &reader_.client_rows.emplace_back(
                ports::ClientRow{.id = ClientId{++last_id_}, .name = arrival.name, .cursor = last});
        }
        if (arrival.taken <= last) {
            row->cursor = std::max(row->cursor, arrival.taken.value_or(EventSeq{}));
        }
        posted.answer(*row);
    }
    void on(ports::Posted<ports::AcknowledgeEvents>& posted) {
        change(posted, [&](ports::ClientRow& row) { row.cursor = posted.command.taken; });
    }
    void on(ports::Posted<ports::GateClient>& posted) {
        const auto& [name, order, at] = posted.command;
        change(posted, [&](ports::ClientRow& row) {
            row.blocked_at =
                order == ports::ClientGateOrder::block ? std::optional(at) : std::nullopt;
        });
    }
    void on(ports::Posted<ports::ForgetClient>& posted) {
        change(posted, [](ports::ClientRow&) {});
        std::erase_if(reader_.client_rows,
                      [&](const auto& row) { return row.name == posted.command.name; });
    }
    void on(ports::Posted<ports::NoteRefusals>& posted) {
        noted.push_back(posted.command);
        posted.answer({});
    }
    ports::ClientRow* find(const std::string& name) {
        const auto row = std::ranges::find(reader_.client_rows, name, &ports::ClientRow::name);
        return row == reader_.client_rows.end() ? nullptr : &*row;
    }
    template <typename Command, typename Change>
    void change(ports::Posted<Command>& posted, Change by) {
        ports::ClientRow* const row = find(posted.command.name);
        if (row == nullptr) {
            return posted.answer(
                fail(Errc::not_found, "no client has the name " + posted.command.name));
        }
        by(*row);
        posted.answer(*row);
    }

    FakeReader& reader_;
    std::int64_t last_id_ = 70;
};

/// Keeps the rows in memory, at once.
class FakeAudit final : public ports::AuditStore, public ports::AuditReader {
public:
    [[nodiscard]] Result<std::vector<ports::AuditRow>> audit(
        const ports::AuditFilter& filter) override {
        last_filter = filter;
        std::vector<ports::AuditRow> found;
        for (auto row = rows.rbegin(); row != rows.rend() && found.size() < filter.limit; ++row) {
            if (filter.before.value == 0 || row->id < filter.before) {
                found.push_back(*row);
            }
        }
        return found;
    }

    std::vector<ports::AuditRow> rows;  // oldest first
    ports::AuditFilter last_filter;
    bool is_full = false;

private:
    void read(Job job) override { job(this); }
    void take(Call&& call) override {
        auto& posted = std::get<ports::Posted<ports::KeepAudit>>(call);
        if (is_full) {
            return posted.answer(fail(Errc::storage, "database or disk is full"));
        }
        posted.command.row.id = ports::AuditId{static_cast<std::int64_t>(rows.size()) + 1};
        rows.push_back(std::move(posted.command.row));
        posted.answer({});
    }
};

class FakeRack final : public ports::RackView {
public:
    [[nodiscard]] std::vector<ports::LineView> lines() const override { return line_views; }
    [[nodiscard]] ports::RackStatus status() const override { return rack_status; }
    [[nodiscard]] ports::ScalingView scaling() const override { return scaling_view; }
    [[nodiscard]] std::optional<std::string> dialogue(const std::string& line) const override {
        const auto found = dialogues.find(line);
        return found == dialogues.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] std::optional<ports::LinePause> group_pause(const std::string& group,
                                                              std::uint32_t,
                                                              const std::string&) const override {
        for (const ports::LineView& line : line_views) {
            if (line.group == group && line.link == ports::LinkState::active) {
                return line.pause;
            }
        }
        return ports::LinePause{.reason = "no_line"};
    }

    std::vector<ports::LineView> line_views;
    ports::RackStatus rack_status;
    ports::ScalingView scaling_view;
    std::map<std::string, std::string> dialogues;
};

/// Keeps the orders; the test answers them.
class FakeOrders final : public ports::LineOrders {
public:
    struct Given {
        std::string line;
        ports::HandOrder order;
        ports::HandDone done;
    };
    Result<> order(std::string_view line, ports::HandOrder order, ports::HandDone done) override {
        if (line != "m1") {
            return fail(Errc::not_found, "no modem has this name");
        }
        given.push_back({std::string(line), std::move(order), std::move(done)});
        return {};
    }

    Result<> gate(std::string_view line, ports::GateOrder order, ports::GateDone done) override {
        if (line != "m1") {
            return fail(Errc::not_found, "no modem has this name");
        }
        gates.push_back(order);
        done(gate_answer);
        return {};
    }

    std::vector<Given> given;
    std::vector<ports::GateOrder> gates;
    Result<ports::GateAnswer> gate_answer = ports::GateAnswer{};
};

/// Gives the decisions and the history that the test wrote.
class FakeRackStore final : public ports::RackStore, public ports::RackReader {
public:
    [[nodiscard]] Result<std::vector<ports::KeptDecision>> decisions(std::size_t limit) override {
        last_limit = limit;
        return kept;
    }
    [[nodiscard]] Result<std::vector<ports::HourTraffic>> traffic(std::int64_t) override {
        return {};
    }
    [[nodiscard]] Result<std::vector<std::string>> blocked_lines() override { return {}; }
    [[nodiscard]] Result<std::vector<ports::SelfSmsSent>> self_sms_sent() override { return {}; }
    [[nodiscard]] Result<std::vector<ports::HistorySeries>> history(
        const ports::HistoryQuestion& question) override {
        asked_history.push_back(question);
        auto found = series;
        for (std::size_t i = 0; found && i < found->size(); ++i) {
            auto& points = (*found)[i].points;
            points.resize(static_cast<std::size_t>((question.to - question.from) / question.step));
        }
        return found;
    }

    [[nodiscard]] Result<ports::FoundLineStates> line_states(
        const ports::LineStatesFilter& filter) override {
        asked_states = filter;
        return states;
    }

    Result<std::vector<ports::KeptDecision>> kept;
    std::size_t last_limit = 0;
    ports::FoundLineStates states;  // whatever is asked for
    ports::LineStatesFilter asked_states;
    /// Of the rack alone; points at their end are added.
    Result<std::vector<ports::HistorySeries>> series =
        std::vector<ports::HistorySeries>{{.line = ""}};
    std::vector<ports::HistoryQuestion> asked_history;

private:
    void take(Call&&) override { SMSRACK_CHECK(false); }
    void read(Job job) override { job(this); }
};

/// Keeps the answer.
class FakeResponder final : public wire::Responder {
public:
    void send(wire::HttpResponse response) override {
        SMSRACK_CHECK(!answered && !streaming);
        answered = true;
        answer = std::move(response);
    }
    void begin(wire::HttpResponse response, std::chrono::seconds every, std::string) override {
        SMSRACK_CHECK(!answered && !streaming);
        streaming = true;
        filler_every = every;
        written = response.body;
        answer = std::move(response);
    }
    void write(std::string_view piece) override { written += piece; }
    void end() override {
        streaming = false;
        answered = true;
    }
    void cut() override { was_cut = true; }
    /// The session that ends tells its author at once.
    void revoke() override {
        was_cut = true;
        if (Job told = std::exchange(close, nullptr)) {
            told();
        }
    }
    [[nodiscard]] std::size_t backlog() const override { return backlog_octets; }
    void on_drained(Job then) override { drained = std::move(then); }
    [[nodiscard]] bool closed() const override { return false; }
    void on_closed(Job then) override { close = std::move(then); }
    void resumable(std::move_only_function<std::string()> says) override { mark = std::move(says); }
    void mark_front(std::string text) override { front = std::move(text); }
    void pause_body(bool paused) override { body_paused = paused; }
    void holds(std::size_t bytes) override { held = bytes; }
    [[nodiscard]] std::size_t room() const override { return room_octets; }

    [[nodiscard]] wire::Json json() const { return wire::parse_json(answer.body).value(); }

    const api::Route* route = nullptr;  ///< of the request; null: no call
    bool answered = false;
    bool streaming = false;
    bool was_cut = false;
    bool body_paused = false;
    std::chrono::seconds filler_every{0};
    std::size_t backlog_octets = 0;
    std::size_t held = 0;
    std::size_t room_octets = 1UL << 20;
    std::string written;
    wire::HttpResponse answer;
    Job close;
    Job drained;
    std::move_only_function<std::string()> mark;
    std::string front;  ///< of the mark
};

/// Answers each order at once.
class FakeSelfSms final : public ports::SelfSmsOrders {
public:
    void order_self_sms(
        std::move_only_function<void(Result<ports::SelfSmsOrdered>)> done) override {
        ++orders;
        done(answer);
    }

    Result<ports::SelfSmsOrdered> answer = fail(Errc::conflict, "this takes two modems");
    int orders = 0;
};

/// A machine as the test says.
class FakeBox final : public ports::BoxView {
public:
    [[nodiscard]] ports::BoxFacts facts() const override { return box_facts; }
    [[nodiscard]] std::string configuration() const override { return toml; }
    [[nodiscard]] std::string configuration_file() const override { return "/etc/smsrack.toml"; }
    [[nodiscard]] std::vector<ports::KeptLine> log(std::uint64_t before,
                                                   std::size_t limit) const override {
        std::vector<ports::KeptLine> found;
        for (const ports::KeptLine& line : lines) {
            if (found.size() < limit && (before == 0 || line.number < before)) {
                found.push_back(line);
            }
        }
        return found;
    }

    ports::BoxFacts box_facts;
    std::string toml;
    std::vector<ports::KeptLine> lines;  // newest first
};

/// Keeps the orders, and answers at once.
class FakeTokenOrders final : public ports::TokenOrders {
public:
    void revoke(const std::string& name, std::move_only_function<void(Result<>)> done) override {
        revoked.push_back(name);
        done(answer);
    }

    std::vector<std::string> revoked;
    Result<> answer;
};

/// What the description says of a call.
inline wire::Json description_of(const api::Route& route) {
    static const wire::Json described = wire::parse_json(api::openapi_json()).value();
    std::string method(route.method);
    for (char& c : method) {
        c = static_cast<char>(c | 0x20);
    }
    return described.at("paths").at(std::string(route.path)).at(method);
}

/// A status that a call gives must be in its description: every test of the API looks at that.
inline void check_described(const api::Route& route, int status) {
    CAPTURE(route.method);
    CAPTURE(route.path);
    CAPTURE(status);
    CHECK(description_of(route).at("responses").contains(std::to_string(status)));
}

struct ApiRig {
    using Responder = std::shared_ptr<FakeResponder>;

    /// `of`: null where the box is in no fleet.
    explicit ApiRig(ports::FleetControl* of = nullptr) : fleet(of) {
        admission.add_group(GroupId{1}, "default");
    }
    ApiRig(const ApiRig&) = delete;
    ApiRig& operator=(const ApiRig&) = delete;
    /// As the server does: what waits for the end of a connection is let go.
    ~ApiRig() {
        for (const Responder& responder : responders) {
            if (responder->route != nullptr && (responder->answered || responder->streaming)) {
                check_described(*responder->route, responder->answer.status);
            }
            responder->close = nullptr;
            responder->drained = nullptr;
        }
    }

    /// Hands a request to the API; its answer may still have to wait for settle().
    Responder call(const std::string& method, const std::string& path, const std::string& body = {},
                   std::vector<wire::HeaderField> headers = {}) {
        auto responder = std::make_shared<FakeResponder>();
        responders.push_back(responder);
        wire::HttpRequest request = request_of(method, path, std::move(headers));
        request.body = body;
        responder->route = api::find_route(request.method, request.path).route;
        api.handle(std::move(request), responder);
        return responder;
    }

    /// An account that may only send.
    static constexpr std::uint32_t sender_uid = 4'711;
    const wire::Peer sender{.uid = sender_uid, .gid = sender_uid, .known = true};

    /// A call of this account, with everything that follows.
    Responder done_by(const wire::Peer& peer, const std::string& method, const std::string& path,
                      const std::string& body = {}, std::vector<wire::HeaderField> headers = {}) {
        auto responder = std::make_shared<FakeResponder>();
        responders.push_back(responder);
        wire::HttpRequest request = request_of(method, path, std::move(headers));
        request.body = body;
        request.peer = &peer;
        responder->route = api::find_route(request.method, request.path).route;
        api.handle(std::move(request), responder);
        settle();
        return responder;
    }

    /// The same, with everything that follows.
    Responder done(const std::string& method, const std::string& path, const std::string& body = {},
                   std::vector<wire::HeaderField> headers = {}) {
        Responder responder = call(method, path, body, std::move(headers));
        settle();
        return responder;
    }

    void settle() {
        do {
            store.read_all();
            store.commit_all();
        } while (loop.run_all() > 0);
    }

    /// "/v1/messages?state=sent&limit=3" with simple parameters, from root.
    static wire::HttpRequest request_of(const std::string& method, const std::string& target,
                                        std::vector<wire::HeaderField> headers = {}) {
        static const wire::Peer root{.uid = 0, .known = true};
        wire::HttpRequest request{.method = method, .headers = std::move(headers), .peer = &root};
        const std::size_t mark = std::min(target.find('?'), target.size());
        request.path = target.substr(0, mark);
        std::string rest = mark < target.size() ? target.substr(mark + 1) : "";
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('&'), rest.size());
            const std::string pair = rest.substr(0, end);
            rest.erase(0, end + 1);
            const std::size_t equals = pair.find('=');
            request.params.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
        }
        return request;
    }

    /// Commits events: into the store's log and to those who listen.
    /// An event without a time is of now.
    void commit_events(std::vector<Event> made, const std::vector<ports::InboxRow>& received = {}) {
        for (Event& event : made) {
            event.at = event.at == WallTime{} ? clock.wall() : event.at;
        }
        store.reader.event_rows.insert(store.reader.event_rows.end(), made.begin(), made.end());
        events.committed(made, received);
    }

    ManualClock clock;
    ManualExecutor loop;
    std::vector<Responder> responders;
    FakeStore store;
    FakeRack rack;
    FakeOrders orders;
    FakeRackStore rack_store;
    FakeSelfSms self_sms;
    FakeControl control;
    FakeTriggers triggers;
    FakeClients clients{store.reader};
    FakeAudit audit;
    stats::Stats stats;
    notify::EventStream events{loop};
    notify::FrontEnds front_ends{{.disconnect = 30s, .heartbeat = 0s}, store, clock};
    overload::ResponseModel responses{clock};
    // One line, and a month for each level, so that only a test that wants to is refused.
    overload::Admission admission{
        {.t_max = {720h, 720h, 720h, 720h, 720h, 720h, 720h}},
        store,
        responses,
        [](const std::string&) { return ports::GroupLines{.able = 1, .total = 1}; },
        clock};
    intake::Intake intake{
        {.plan = {.country = "+33"}, .groups = {"default"}}, store, clock, &admission};
    api::RefusalNotes refusals{clients, clock};
    access::TokenBook tokens;
    access::TokenUses token_uses;
    FakeTokenOrders token_orders;
    FakeBox box;
    ports::FleetControl* const fleet;
    static constexpr std::uint32_t gate_uid = 985;
    [[nodiscard]] api::ApiParts parts() {
        return {.intake = intake,
                .store = store,
                .rack = rack,
                .orders = orders,
                .events = events,
                .stats = stats,
                .loop = loop,
                .clock = clock,
                .errors = error_table,
                .rack_store = rack_store,
                .control = control,
                .clients = clients,
                .front_ends = front_ends,
                .audit = audit,
                .triggers = &triggers,
                .self_sms = &self_sms,
                .tokens = &tokens,
                .token_uses = &token_uses,
                .token_orders = &token_orders,
                .box = &box,
                .refusals = &refusals,
                .fleet = fleet};
    }
    api::Api api{parts(),
                 {.version = "1.2.3",
                  .plan = {.country = "+33"},
                  .sla_ms = {7, 6, 5, 4, 3, 2, 1},
                  .access = {.own_uid = 990,
                             .read_group = 992,
                             .admin_group = 991,
                             .clients = {{1001, "billing"}},
                             .gate = gate_uid,
                             .has_smpp = true}}};
};

}  // namespace smsrack::test
