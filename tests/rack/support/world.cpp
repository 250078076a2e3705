#include "tests/rack/support/world.hpp"

#include "firmware-host/rule_settings.hpp"
#include "firmware-host/setup/trigger_files.hpp"
#include "firmware-host/upgrade/hand_over_text.hpp"
#include "src/base/check.hpp"
#include "src/base/worker.hpp"
#include "src/pdu/reassembler.hpp"
#include "src/results/assembly_rule.hpp"
#include "src/results/repeat_rule.hpp"
#include "src/results/report_matcher.hpp"
#include "src/rules/opt_out_words.hpp"
#include "tests/support/error_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

namespace smsrack::test {
namespace {

/// Clients of a fleet get their answer at once: the test says what the engine does.
class NoEngine final : public ports::FleetIntake {
public:
    [[nodiscard]] std::optional<Error> refusal() const override { return std::nullopt; }
    void follow(ports::Accepted accepted, ports::FleetChecks /*checks*/,
                ports::Done<ports::Accepted> done) override {
        done(std::move(accepted));
    }
};
NoEngine no_engine;

config::Settings settings_of(const WorldSettings& world, const std::string& dir) {
    std::string text =
        fmt::format("[service]\nstate_dir = \"{0}\"\nsocket = \"{0}/socket\"\n", dir) + world.toml;
    for (unsigned i = 0; i < world.modems; ++i) {
        text += fmt::format("\n[[modem]]\nname = \"m{0}\"\nport = \"/model/{0}\"\n{1}\n", i,
                            world.modem_toml);
        if (i < world.numbers) {
            text += fmt::format("number = \"{}\"\n", modem_sim::make_identity(i).number);
        }
    }
    auto settings = config::load_settings(text, "world.toml");
    REQUIRE_MESSAGE(settings, (settings ? std::string() : settings.error().text()));
    return *settings;
}

db::SqliteStoreSettings store_settings(const config::Settings& settings) {
    db::SqliteStoreSettings store;
    store.path = settings.service.state_dir + "/smsrack.db";
    // Small, so that what a process grows by is no cache that fills, and pages go to the log in the middle of a transaction.
    store.writer_cache_kib = 512;
    store.reader_cache_kib = 128;
    store.uncertain_after = settings.queue.uncertain_after;
    store.share_within = settings.queue.share_within;
    store.duplicate_window = settings.dedup.window;
    return store;
}

ports::StoreRules store_rules(const config::Settings& settings) {
    return {.errors = &error_table,
            .choose_report = results::choose_report,
            .judge_segment = results::judge_segment,
            .judge_report = results::judge_report,
            .choose_assembly = results::choose_assembly,
            .join_segments = pdu::join_segments,
            .wish_of =
                [words = rules::OptOutWords(settings.opt_out.words, settings.opt_out.start_words)](
                    std::string_view text) { return words.wish_of(text); }};
}

}  // namespace

/// What dies with the process.
struct World::Process {
    GuardedClock guard;
    HandExecutor readers;
    HandExecutor codec_pool;
    HandExecutor loop;
    FlagWaiter store_waiter;
    stats::Stats stats;
    host::RackAddress address;
    ports::StoreRules rules;
    std::unique_ptr<db::SqliteStore> store;
    std::unique_ptr<host::Rack> rack;
    std::unique_ptr<intake::Intake> intake;
    std::unique_ptr<trigger::Engine> triggers;

    Process(const Clock& clock, Log& log)
        : guard(clock, std::chrono::hours(1)), address(loop, stats, guard, log) {}
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    /// What the store still writes at its end is answered to the rack.
    ~Process() { store.reset(); }
};

World::World(WorldSettings settings)
    : modems(clock, settings.seed + 1), settings_(std::move(settings)), random_(settings_.seed) {
    for (unsigned i = 0; i < settings_.modems; ++i) {
        modem_sim::ModemSettings modem{
            .index = i,
            .identity = modem_sim::make_identity(i),
            .time_base = {clock.steady(), clock.wall()},
            .service = {.mean = settings_.service, .exponential = settings_.exponential}};
        modem.sm_places = settings_.sim_places;
        modem.sr_places = settings_.no_sr ? 0 : modem.sr_places;
        modems.add(std::move(modem), settings_.baud);
    }
    start();
}

World::~World() = default;

std::filesystem::path World::state_dir() const {
    return dir_.path() / std::to_string(lives_);
}

void World::start(host::HandOver left) {
    std::filesystem::create_directories(state_dir());
    const config::Settings settings = settings_of(settings_, state_dir());
    process_ = std::make_unique<Process>(clock, log);
    Process& process = *process_;
    db::SqliteStoreSettings how = store_settings(settings);
    how.boot = std::to_string(boots_);
    how.box = BoxNumber{settings_.box};
    how.taken_over = {.lock = left.lock.release(), .closed_well = left.store_closed};
    taken_in_hand_ = 0;
    for (const host::LineHandOver& line : left.lines) {
        if (line.line.in_hand) {
            ++taken_in_hand_;
            how.taken_over.in_hand.push_back(line.line.in_hand->attempt);
        }
    }
    process.rules = store_rules(settings);
    process.rules.may_begin_shared = [this] { return may_begin_shared; };
    const auto open = [&] {
        return db::SqliteStore::open(
            how, {process.rules, process.address, process.readers, process.store_waiter,
                  process.guard, log, &process.stats, &process.guard});
    };
    auto store = open();
    // It is started again, and accepts nothing until there is room again.
    if (!store && disk.is_full()) {
        disk.fill(false);
        how.taken_over = {};
        left = {};
        taken_in_hand_ = 0;
        store = open();
    }
    if (!store) {
        throw std::runtime_error("the store does not open: " + store.error().context);
    }
    process.store = std::move(*store);
    process.address.events.starts_after(process.store->opened_at());
    process.readers.at_once(true);  // what it begins with it asks there, and waits
    std::size_t next_port = 0;
    std::size_t next_power = 0;
    auto rack = host::Rack::make(
        settings,
        {*process.store,
         process.codec_pool,
         process.address,
         process.stats,
         process.guard,
         random_,
         error_table,
         log,
         [&](const auto&) { return modems.port(next_port++); },
         [&](const auto&) { return settings_.power_lines ? modems.power(next_power++) : nullptr; },
         {},
         host::quiet_hours(settings.quiet_hours).value()},
        std::move(left.lines), left.learned);
    SMSRACK_CHECK(rack);
    process.rack = std::move(*rack);
    taken_over_ = process.rack->adopted();
    process.readers.at_once(false);
    intake::IntakeSettings intake;
    intake.groups = {"default"};
    intake.default_ttl = settings.queue.ttl;
    intake.duplicate_window = settings.dedup.window;
    intake.destinations = host::destination_rules(settings.destinations);
    intake.limits = host::recipient_limits(settings.limits);
    intake.quiet = process.rack->quiet_hours();
    intake.routes = host::routes(settings.routes);
    intake.clients = host::client_limits(settings);
    intake.client_limits = host::client_limits(settings.clients);
    intake.known_clients_only = settings.clients.known_only;
    process.intake = std::make_unique<intake::Intake>(
        intake, *process.store, process.guard, &process.rack->admission(), &process.rack->sims(),
        settings_.box != 0 ? &no_engine : nullptr);
    config::ConfigProblems closed;
    auto triggers = host::read_triggers(settings, closed);
    REQUIRE_MESSAGE(triggers, (triggers ? std::string() : triggers.error().front().message));
    process.triggers = std::make_unique<trigger::Engine>(
        *std::move(triggers), host::trigger_settings(settings, random_),
        trigger::EngineParts{*process.store, *process.intake, process.loop, process.guard, log});
}

/// True while a component still has something to do now.
bool World::step_all() {
    deadline_ = modems.step();
    for (Stepper* stepper : process_->rack->steppers()) {
        deadline_ = std::min(deadline_, stepper->step(clock.steady()));
    }
    deadline_ = std::min(deadline_, process_->triggers->step(clock.steady()));
    bool again = process_->codec_pool.run();
    again = (!disk_held_ && process_->store_waiter.take()) || again;
    if (!disk_held_) {
        deadline_ = std::min(deadline_, process_->store->writer().step(clock.steady()));
    }
    again = process_->readers.run() || again;
    again = process_->loop.run() || again;
    return again;
}

/// As step_all() has them, one by one; each says whether a component has something to do now.
std::vector<World::Part> World::parts() {
    std::vector<Part> parts;
    for (Stepper* stepper : process_->rack->steppers()) {
        parts.emplace_back([this, stepper] {
            deadline_ = std::min(deadline_, stepper->step(clock.steady()));
            return false;
        });
    }
    add_common(parts);
    return parts;
}

/// The same, but a line has its turn only when it is woken, or its time has come: as its thread.
std::vector<World::Part> World::threads() {
    std::vector<Part> threads;
    const auto steppers = process_->rack->steppers();
    const std::size_t first_line = steppers.size() - settings_.modems;
    for (std::size_t i = 0; i < steppers.size(); ++i) {
        threads.emplace_back(
            [this, i, first_line, stepper = steppers[i], due = SteadyTime{}]() mutable {
                const bool is_line = i >= first_line;
                const bool woken = is_line && modems.woken(i - first_line);
                if (!is_line || woken || due <= clock.steady() || modems.calls(i - first_line)) {
                    due = stepper->step(clock.steady());
                }
                deadline_ = std::min(deadline_, due);
                return woken;
            });
    }
    add_common(threads);
    return threads;
}

void World::add_common(std::vector<Part>& parts) {
    const auto wants = [this](SteadyTime at) {
        deadline_ = std::min(deadline_, at);
        return false;
    };
    parts.emplace_back([this, wants] { return wants(modems.step()); });
    parts.emplace_back([this, wants] { return wants(process_->triggers->step(clock.steady())); });
    parts.emplace_back([this] { return process_->codec_pool.run(); });
    parts.emplace_back([this, wants, due = SteadyTime{}]() mutable {
        if (disk_held_) {
            return false;
        }
        const bool woken = process_->store_waiter.take();
        if (woken) {
            due = std::min(due, clock.steady() + settings_.disk);
        }
        if (due <= clock.steady()) {
            due = std::max(process_->store->writer().step(clock.steady()),
                           clock.steady() + settings_.disk);
        }
        (void)wants(due);
        return woken;
    });
    parts.emplace_back([this] { return process_->readers.run(); });
    parts.emplace_back([this] { return process_->loop.run(); });
}

bool World::wander(SteadyTime until, const std::function<bool()>& done) {
    const auto all = threads();
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // moments in a row at which a component has asked for the next one at once
    unsigned restless = 0;
    for (int quiet = 0;;) {
        deadline_ = never;
        bool again = false;
        for (std::size_t i = order.size(); i > 0; --i) {
            std::swap(order[i - 1], order[random_.below(i)]);
            again = all[order[i - 1]]() || again;
            if (done()) {
                return true;
            }
        }
        quiet = again ? 0 : quiet + 1;
        if (quiet < 3) {  // what a component was handed after its turn may be handed on
            continue;
        }
        if (clock.steady() >= until) {
            return false;
        }
        constexpr unsigned restless_max = 10'000;
        restless = deadline_ <= clock.steady() ? restless + 1 : 0;
        if (restless > restless_max) {
            throw std::runtime_error(
                "rests: a component asks to be stepped again and again, at once");
        }
        clock.advance_to(
            std::min(until, std::max(deadline_, clock.steady() + std::chrono::microseconds(1))));
        quiet = 0;
    }
}

void World::run_turns(std::size_t turns) {
    go_on(turns, [] { return false; });
}

bool World::lose_power_after(std::uint64_t operations, std::size_t turns) {
    disk.go_off_after(operations);
    go_on(turns, [this] { return disk.is_off(); });
    const bool in_the_middle = disk.is_off();
    lose_power();
    return in_the_middle;
}

void World::go_on(std::size_t turns, const std::function<bool()>& done) {
    const auto all = parts();
    for (int quiet = 0;;) {
        deadline_ = never;
        bool again = false;
        for (const auto& part : all) {
            if (turns-- == 0 || done()) {
                return;
            }
            again = part() || again;
        }
        quiet = again ? 0 : quiet + 1;
        if (quiet >= 2) {
            clock.advance_to(std::max(deadline_, clock.steady() + std::chrono::microseconds(1)));
            quiet = 0;
        }
    }
}

bool World::run(std::chrono::milliseconds limit, const std::function<bool()>& done) {
    const SteadyTime until = clock.steady() + limit;
    if (done()) {
        return true;
    }
    for (;;) {
        for (int quiet = 0; quiet < 2;) {  // a quiet round may still hand something on
            quiet = step_all() ? 0 : quiet + 1;
        }
        if (done()) {
            return true;
        }
        if (clock.steady() >= until) {
            return false;
        }
        clock.advance_to(
            std::min(until, std::max(deadline_, clock.steady() + std::chrono::microseconds(1))));
    }
}

bool World::run_until_ready() {
    return run(std::chrono::seconds(60), [this] {
        return std::ranges::all_of(process_->rack->view().lines(), [](const auto& line) {
            return line.link == ports::LinkState::active;
        });
    });
}

Result<ports::Accepted> World::ask(const intake::SubmitRequest& request) {
    std::optional<Result<ports::Accepted>> answer;
    process_->intake->submit(
        request, [&](Result<ports::Accepted> accepted) { answer = std::move(accepted); });
    REQUIRE(run(std::chrono::seconds(1), [&] { return answer.has_value(); }));
    return *std::move(answer);
}

MessageId World::send(const intake::SubmitRequest& request) {
    const auto accepted = ask(request);
    REQUIRE_MESSAGE(accepted, (accepted ? std::string() : accepted.error().context));
    return accepted->id;
}

std::vector<MessageId> World::send_all(const std::vector<intake::SubmitRequest>& requests) {
    std::vector<MessageId> ids(requests.size());
    std::size_t answered = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        process_->intake->submit(requests[i], [&, i](Result<ports::Accepted> accepted) {
            REQUIRE(accepted.has_value());
            ids[i] = accepted->id;
            ++answered;
        });
    }
    REQUIRE(run(std::chrono::seconds(1), [&] { return answered == requests.size(); }));
    return ids;
}

Result<ports::Accepted> World::submit(const intake::SubmitRequest& request) {
    return ask<ports::Accepted>(
        [&](auto done) { process_->intake->submit(request, std::move(done)); });
}

void World::submit(const intake::SubmitRequest& request, ports::Done<ports::Accepted> done) {
    process_->intake->submit(request, std::move(done));
}

template <typename Command>
Result<typename Command::Answer> World::post(Command command) {
    return ask<typename Command::Answer>(
        [&](auto done) { process_->store->post(std::move(command), std::move(done)); });
}

template <typename Reader, typename Question>
auto World::look(Question question) {
    using Answer = std::invoke_result_t<Question&, Reader&>;
    Answer found = std::unexpected(Error{});
    process_->store->ask(std::move(question), [&](Answer answer) { found = std::move(answer); });
    process_->readers.run();
    REQUIRE(found.has_value());
    return *std::move(found);
}

bool World::pause(ports::PauseScope scope, const std::string& name) {
    return post(ports::SetPause{scope, name, true, clock.wall()}).value();
}

bool World::resume(ports::PauseScope scope, const std::string& name) {
    return post(ports::SetPause{scope, name, false, clock.wall()}).value();
}

void World::cancel_batch(const std::string& name) {
    REQUIRE(post(ports::CancelBatch{name, clock.wall()}));
}

Result<ports::Accepted> World::replace(MessageId id, const intake::SubmitRequest& request) {
    auto replacement = process_->intake->replacement(request, id);
    REQUIRE(replacement);
    return post(*std::move(replacement));
}

std::vector<MessageId> World::make_firm(const std::vector<MessageId>& ids) {
    const auto firm = post(ports::MakeFirm{.messages = ids, .epoch = Epoch{1}, .at = clock.wall()});
    REQUIRE(firm);
    return *firm;
}

std::vector<MessageId> World::lend(const std::vector<MessageId>& ids) {
    const auto lent = post(ports::Lend{.messages = ids, .at = clock.wall()});
    REQUIRE(lent);
    return *lent;
}

ports::BatchRow World::batch(const std::string& name) {
    return look<ports::StoreReader>([&](ports::StoreReader& reader) { return reader.batch(name); });
}

std::int64_t World::messages() const {
    std::int64_t all = 0;
    for (const std::int64_t count : process_->store->counts()) {
        all += count;
    }
    return all;
}

const stats::Stats& World::stats() const {
    return process_->stats;
}

notify::EventStream& World::stream() {
    return process_->address.events;
}

std::filesystem::path World::store_file() const {
    return state_dir() / "smsrack.db";
}

std::vector<Event> World::events() {
    return look<ports::StoreReader>(
        [&](ports::StoreReader& reader) { return reader.events({}, 1000); });
}

std::vector<ports::MessageRow> World::list(const ports::MessageFilter& filter) {
    return look<ports::StoreReader>(
        [&](ports::StoreReader& reader) { return reader.messages(filter); });
}

trigger::Engine& World::triggers() {
    return *process_->triggers;
}

trigger::Counts World::feed(std::string_view trigger, std::span<const trigger::Event> events) {
    return ask<trigger::Counts>([&](auto done) {
               REQUIRE(process_->triggers->offer(trigger, events, std::move(done)));
           })
        .value();
}

Result<> World::offer(std::string_view trigger, std::span<const trigger::Event> events,
                      ports::Done<trigger::Counts> done) {
    return process_->triggers->offer(trigger, events, std::move(done));
}

ports::ClientRow World::arrive(const std::string& client, std::optional<EventSeq> taken) {
    return post(ports::RegisterClient{.name = client, .taken = taken, .at = clock.wall()}).value();
}

std::optional<ports::PairRow> World::pair(std::string_view trigger, std::string_view topic,
                                          std::string_view number) {
    const auto trace = ask<trigger::Trace>(
        [&](auto done) { process_->triggers->trace(trigger, number, topic, std::move(done)); });
    REQUIRE(trace);
    return trace->pairs.empty() ? std::nullopt : trace->pairs.front().row;
}

std::vector<Event> World::results(const ports::ClientRow& client, std::size_t limit) {
    return look<ports::StoreReader>([&](ports::StoreReader& reader) {
        return reader.events_of({.client = client.id}, client.cursor, limit);
    });
}

MessageId World::send(std::string to, std::string text) {
    return send({.to = std::move(to), .text = std::move(text)});
}

ports::MessageDetail World::detail(MessageId id) {
    return look<ports::StoreReader>([&](ports::StoreReader& reader) { return reader.message(id); });
}

MessageState World::state(MessageId id) {
    return detail(id).message.state;
}

bool World::all_are(const std::vector<MessageId>& ids,
                    const std::function<bool(MessageState)>& right) {
    for (std::size_t asked = 0; asked < ids.size(); ++asked) {
        first_asked_ %= ids.size();
        if (!right(state(ids[first_asked_]))) {
            return false;
        }
        ++first_asked_;
    }
    return true;
}

std::vector<ports::InboxRow> World::inbox() {
    return look<ports::StoreReader>(
        [&](ports::StoreReader& reader) { return reader.inbox({.limit = 1000}); });
}

SteadyTime World::starves_since() const {
    return process_->rack->starves_since();
}

Result<> World::by_hand(const std::string& line, ports::HandOrder order, ports::HandDone done) {
    return process_->rack->order(line, std::move(order), std::move(done));
}

Result<ports::SelfSmsOrdered> World::order_self_sms() {
    std::optional<Result<ports::SelfSmsOrdered>> answer;
    process_->rack->self_sms_orders().order_self_sms(
        [&](Result<ports::SelfSmsOrdered> ordered) { answer = std::move(ordered); });
    REQUIRE(run(std::chrono::seconds(1), [&] { return answer.has_value(); }));
    return *answer;
}

ports::GateAnswer World::gate(const std::string& line, ports::GateOrder order) {
    std::optional<Result<ports::GateAnswer>> answer;
    REQUIRE(process_->rack->gate(
        line, order, [&](Result<ports::GateAnswer> done) { answer = std::move(done); }));
    REQUIRE(run(std::chrono::seconds(1), [&] { return answer.has_value(); }));
    REQUIRE(answer->has_value());
    return **answer;
}

bool World::is_gate_answered(const std::string& line, ports::GateOrder order,
                             std::chrono::milliseconds limit) {
    const auto answered = std::make_shared<bool>(false);
    REQUIRE(process_->rack->gate(
        line, order, [answered](const Result<ports::GateAnswer>&) { *answered = true; }));
    return run(limit, [&] { return *answered; });
}

std::vector<ports::KeptDecision> World::decisions() {
    auto found = look<ports::RackReader>(
        [&](ports::RackReader& reader) { return reader.decisions(10'000); });
    std::ranges::reverse(found);
    return found;
}

const ports::RackView& World::rack() const {
    return process_->rack->view();
}

/// The next life begins on a copy of what is on the disk now, since the objects of this one still write when they end.
std::string World::dialogue(const std::string& line) const {
    return process_->rack->view().dialogue(line).value_or("");
}

bool World::hand_over(std::chrono::milliseconds limit) {
    host::Rack& rack = *process_->rack;
    const auto names = rack.line_names();
    rack.hold(names, true);
    const bool held =
        run(limit, [&] { return rack.unsettled(names, line::LineAddress::Want::no_loss).empty(); });
    if (!held) {
        rack.hold(names, false);
        return false;
    }
    rack.settle([this] { process_->codec_pool.run(); },
                [this] { process_->store->leave_to_next(); });
    host::HandOver left{.lines = rack.leave(), .learned = rack.learned(), .store_closed = true};
    left.lock = serial::OwnedFd(process_->store->duplicate_lock());
    auto [text, descriptors] = host::encode(left);
    std::vector<serial::OwnedFd> passed;
    for (const int fd : descriptors) {
        passed.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    }
    left = {};
    process_.reset();
    auto read = host::decode(text, std::move(passed));
    REQUIRE_MESSAGE(read, (read ? std::string() : read.error().context));
    start(*std::move(read));
    return true;
}

void World::crash_and_restart(std::optional<std::string> toml) {
    settings_.toml = std::move(toml).value_or(settings_.toml);
    const std::filesystem::path dead = state_dir();
    ++lives_;
    std::filesystem::copy(dead, state_dir());
    start_anew(dead);
}

void World::lose_power() {
    const std::filesystem::path dead = state_dir();
    ++lives_;
    std::filesystem::create_directories(state_dir());
    disk.cut(dead, state_dir(), random_);
    ++boots_;
    start_anew(dead);
}

/// `dead`: what the process that dies only now still writes is in its own folder, which is never
/// read again.
void World::start_anew(const std::filesystem::path& dead) {
    process_.reset();
    disk.forget(dead);
    std::filesystem::remove_all(dead);
    disk_held_ = false;
    start();
}

}  // namespace smsrack::test
