#include "tests/fleet/days/fleet_box.hpp"

#include "src/base/hash.hpp"
#include "src/results/assembly_rule.hpp"
#include "src/results/repeat_rule.hpp"
#include "tests/support/error_table.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace smsrack::test {

using namespace std::chrono_literals;

FleetBox::FleetBox(std::size_t place, ports::ClusterEngine& engine,
                   const cluster::FleetSettings& settings, FleetWitness& witness,
                   const std::filesystem::path& parent)
    : place_(place),
      engine_(engine),
      settings_(settings),
      witness_(witness),
      folder_(parent),
      rules_{.errors = &error_table,
             .choose_report = choose_by_number,
             .judge_segment = results::judge_segment,
             .judge_report = results::judge_report,
             .choose_assembly = results::choose_assembly,
             .join_segments = join_plainly,
             .may_begin_shared = [this] { return desk_ && desk_->may_begin(); },
             .knows_rules = [this](Level level) { return desk_ && desk_->knows_rules(level); },
             .shares_rules = true} {
    std::filesystem::create_directories(folder_.path() / "0");
    start();
}

void FleetBox::Listener::committed(std::span<const Event> events,
                                   std::span<const ports::InboxRow> /*received*/) {
    if (box.is_ending_) {
        return;  // into files that are not read again
    }
    for (const Event& event : events) {
        box.witness_.says(box.place_, event);
    }
}

void FleetBox::start() {
    db::SqliteStoreSettings settings;
    settings.capacity = 100'000;
    settings.box = BoxNumber{static_cast<std::int32_t>(place_) + 1};
    settings.path = folder_.path() / std::to_string(generation_) / "smsrack.db";
    auto opened = db::SqliteStore::open(settings, {.rules = rules_,
                                                   .listener = listener_,
                                                   .readers = readers_,
                                                   .waiter = writer_waiter_,
                                                   .clock = clock_,
                                                   .log = log_});
    if (!opened) {
        throw std::runtime_error("the store of a box does not open: " + opened.error().context);
    }
    store_ = *std::move(opened);
    group_ = store_->group_id("default").value();
    desk_ = std::make_unique<cluster::FleetDesk>(
        engine_, *store_, clock_, desk_waiter_, settings_,
        cluster::BoxSide{
            .report = [] { return ports::BoxReport{.modems = modems}; },
            .groups = [this] { return groups(); },
            .conflict = [](MessageId, const ports::PutAnswer&) {},
            .give_up = [this](MessageId id, auto done) { give_up(id, std::move(done)); },
            .scaling = {.work = [this] { return work_now(); },
                        .iccids =
                            [this] {
                                return iccid_.empty() ? std::vector<std::string>{}
                                                      : std::vector{iccid_};
                            },
                        .power = &power_,
                        .told = [this](std::string words) { decided.push_back(std::move(words)); }},
            .upgrade = {.program = [this] { return program; },
                        .noted = [this] { return upgrade_noted; },
                        .note =
                            [this](const std::string& form) {
                                upgrade_noted = form;
                                return true;
                            },
                        .carry_out =
                            [this](const std::string& by, const ports::UpgradeOrder& order,
                                   const auto& refused) {
                                upgrades.emplace_back(by, order.binary);
                                if (!refuses_upgrade.empty()) {
                                    refused({.code = Errc::conflict, .context = refuses_upgrade});
                                }
                            }},
            .answer = [this](const ports::BoxQuestion& question,
                             const auto& done) { answer(question, done); }});
    desk_due_ = {};
    share_sim();
}

void FleetBox::answer(const ports::BoxQuestion& question,
                      const std::function<void(ports::BoxAnswer)>& done) {
    ++questions;
    witness_.hears(place_, question);
    std::string body = fmt::format("box {}: {}", place_ + 1, question.path);
    for (const auto& [name, value] : question.params) {
        body += fmt::format(" {}={}", name, value);
    }
    answers_late ? late_.push_back(done) : done({.body = std::move(body)});
}

cluster::BoxWork FleetBox::work_now() const {
    cluster::BoxWork now = work;
    const auto states = store_->counts();
    const bool has_scheduled = states.at(static_cast<std::size_t>(MessageState::scheduled)) > 0;
    now.stays = has_scheduled ? "scheduled" : now.stays;
    return now;
}

void FleetBox::insert(std::string iccid, std::uint32_t limit, QuotaWindow window) {
    iccid_ = std::move(iccid);
    sim_limits_ = {};
    sim_limits_.by_window.at(static_cast<std::size_t>(window)) = limit;
    share_sim();
}

void FleetBox::take_out() {
    iccid_.clear();
    if (quota_) {
        quota_->share({});
    }
    if (runs()) {
        desk_->leave_sim(ModemId{0});
    }
}

/// As a line does with a SIM that it sees.
void FleetBox::share_sim() {
    if (iccid_.empty() || !runs()) {
        return;
    }
    quota_ = std::make_unique<line::SimQuota>(
        line::SimQuotaSettings{.limits = sim_limits_, .is_shared = true}, clock_);
    sim_is_in_.clear();
    sim_ = ask(ports::IdentifySim{.iccid = iccid_}).value().value();
    quota_->known(ask(ports::ReadQuota{.sim = sim_, .month = quota_->month()}).value().value());
    desk_->follow_sim(ModemId{0}, {.iccid = iccid_, .group = "default"},
                      [this, of = iccid_](ports::SimShare share) {
                          if (of == iccid_) {
                              sim_is_in_ = share.elsewhere;
                              quota_->share(share.elsewhere.empty()
                                                ? std::optional(std::move(share))
                                                : std::nullopt);
                          }
                      });
}

void FleetBox::give_up(MessageId id, std::function<void(Result<>)> done) {
    const auto here = row(id);
    if (!here) {
        return done(std::unexpected(here.error()));
    }
    if (here->state == MessageState::uncertain) {
        return done({});  // the policy decides it, and no attempt follows
    }
    store_->post(ports::FinishMessage{.message = here->id,
                                      .event = MessageEvent::give_up,
                                      .detail = "taken_by_another_box",
                                      .at = clock_.wall()},
                 [done = std::move(done)](const Result<MessageState>& state) {
                     done(state ? Result<>{} : std::unexpected(state.error()));
                 });
}

void FleetBox::advance_to(SteadyTime now) {
    now_ = now;
    if (!suspended_) {
        clock_.advance_to(now - std::chrono::duration_cast<SteadyTime::duration>(lag_));
    }
}

void FleetBox::suspend() {
    freeze();
    suspended_ = suspended_.value_or(now_);
}

void FleetBox::resume() {
    thaw();
    if (suspended_) {
        const auto length = now_ - *std::exchange(suspended_, std::nullopt);
        lag_ += length;
        clock_.suspend(length);
    }
}

void FleetBox::kill(BoxEnd when) {
    end_ = when;
    if (when.after == 0 && runs()) {
        end();
    }
}

void FleetBox::end() {
    end_.reset();
    resume();
    witness_.dies(place_);
    const auto from = folder_.path() / std::to_string(generation_);
    const auto to = folder_.path() / std::to_string(++generation_);
    std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
    dead_.push_back(std::move(desk_));
    is_ending_ = true;
    store_.reset();
    is_ending_ = false;
    std::filesystem::remove_all(from);
    lines_ = {};
}

template <typename Command>
std::optional<Result<typename Command::Answer>> FleetBox::ask(Command command) {
    std::optional<Result<typename Command::Answer>> answer;
    store_->post(std::move(command),
                 [&](Result<typename Command::Answer> given) { answer.emplace(std::move(given)); });
    write();
    return answer;
}

template <typename Reader, typename Question>
auto FleetBox::look(Question question) {
    std::optional<std::invoke_result_t<Question&, Reader&>> answer;
    store_->ask(std::move(question), [&](auto given) { answer.emplace(std::move(given)); });
    return std::move(answer).value();
}

void FleetBox::write() {
    while (store_->writer().step(clock_.steady()) != never) {
    }
}

bool FleetBox::step() {
    if (!runs()) {
        return false;
    }
    send_out(now_);
    if (is_frozen_) {
        return false;
    }
    const int before = desk_waiter_.woken + writer_waiter_.woken;
    // As its thread does: where it was woken, or at the time that it said.
    if (std::exchange(desk_woken_, desk_waiter_.woken) != desk_waiter_.woken ||
        clock_.steady() >= desk_due_) {
        desk_due_ = desk_->step(clock_.steady());
    }
    const bool is_last = end_ && end_->after <= 0;
    if (is_last && end_->before_its_commit) {
        end();
        return false;
    }
    write();
    for (Modem& modem : lines_) {
        send(modem, now_);
    }
    expire(now_);
    const bool did = desk_waiter_.woken + writer_waiter_.woken != before;
    if (is_last) {
        end();
    } else if (end_ && did) {
        --end_->after;
    }
    return did;
}

void FleetBox::expire(SteadyTime now) {
    constexpr std::size_t at_a_time = 100;
    if (now < expires_at_) {
        return;
    }
    expires_at_ = now + 10s;
    const auto expired = ask(ports::ExpireOverdue{.now = clock_.wall(), .limit = at_a_time});
    if (expired && *expired && **expired > 0) {
        desk_->wake();
    }
}

/// A modem has what is in flight, whatever becomes of the process.
void FleetBox::send_out(SteadyTime now) {
    for (Modem& modem : lines_) {
        if (modem.attempt && !modem.has_left && now >= modem.leaves_at) {
            modem.has_left = true;
            witness_.leaves(place_, modem.text);
        }
    }
}

void FleetBox::send(Modem& modem, SteadyTime now) {
    if (!modem.attempt) {
        return now < modem.rests_until ? void() : begin(modem, now);
    }
    if (now < modem.answers_at) {
        return;
    }
    const auto ended = ask(
        ports::EndAttempt{.attempt = *modem.attempt,
                          .message = modem.message,
                          .outcome = {.kind = OutcomeKind::accepted, .tp_mr = 7, .has_tp_mr = true},
                          .event = MessageEvent::accepted,
                          .at = clock_.wall()});
    if (ended) {
        modem = {};
        desk_->wake();
        begin(modem, now);
    }
}

void FleetBox::begin(Modem& modem, SteadyTime now) {
    const auto queued = store_->counts().at(static_cast<std::size_t>(MessageState::queued));
    const auto message = queued > 0 ? first_queued() : std::nullopt;
    if (!message || message->expires_at <= clock_.wall()) {
        return;
    }
    ports::BeginAttempt start{.message = message->id,
                              .modem = "m0",
                              .sim = sim_,
                              .at = clock_.wall(),
                              .queued_by = message->queued_by};
    std::optional<line::SimQuota::Counted> counted;
    if (quota_) {
        const std::uint64_t to = line::recipient_hash(message->body.to);
        if (iccid_.empty() || quota_->wait(1, to)) {
            return;
        }
        counted = quota_->count(start.at, to);
        start.quota = counted->check;
    }
    const auto begun = ask(std::move(start));
    if (counted && !(begun && *begun)) {
        quota_->take_back(*counted);
    }
    if (begun && *begun) {
        witness_.begins(place_, message->body.text);
        modem = {.attempt = **begun,
                 .message = message->id,
                 .text = message->body.text,
                 .leaves_at = now + leaves_after,
                 .answers_at = now + service};
    } else if (begun && begun->error().code == Errc::closed) {
        modem.rests_until = now + rest;
    }
}

std::optional<OutMessage> FleetBox::first_queued() {
    for (Level level = level_count; level-- > 0;) {
        const auto queued = look<ports::StoreReader>(
            [&](ports::StoreReader& reader) { return reader.queued(group_, level, {}, 1); });
        if (queued && !queued->empty()) {
            return queued->front();
        }
    }
    return std::nullopt;
}

std::vector<cluster::GroupPace> FleetBox::groups() {
    const auto counts =
        look<ports::FleetReader>([](ports::FleetReader& reader) { return reader.counts(); });
    // What it is in doubt of is firm, too, and no work.
    const auto states = store_->counts();
    const auto held = counts.value().stages.at(static_cast<std::size_t>(FleetStage::held)) +
                      states.at(static_cast<std::size_t>(MessageState::queued)) +
                      states.at(static_cast<std::size_t>(MessageState::sending));
    const std::size_t able = quota_ && (iccid_.empty() || !quota_->is_known()) ? 0 : modems;
    return {{.group = "default",
             .messages_per_s =
                 static_cast<double>(able) / std::chrono::duration<double>(service).count(),
             .modems = able,
             .held = static_cast<std::size_t>(held)}};
}

std::optional<MessageId> FleetBox::submit(const NewText& text) {
    if (!runs() || is_frozen_) {
        return std::nullopt;
    }
    NewMessage m;
    m.body.to = text.to;
    m.body.text = text.text;
    m.body.report = text.report;
    if (text.after.count() > 0) {
        m.not_before = clock_.wall() + text.after;
    }
    m.level = text.level;
    m.created_at = clock_.wall();
    m.expires_at = m.created_at + text.life;
    m.shared = true;
    m.sticky = text.sticky;
    const auto accepted = ask(ports::Accept{std::move(m)});
    desk_->wake();
    return accepted && *accepted ? std::optional((*accepted)->id) : std::nullopt;
}

bool FleetBox::order(const std::string& number, bool holds, std::function<void(Kept)> answered) {
    const auto kept = holds ? ask(ports::OptOut{.number = number, .at = clock_.wall()})
                            : ask(ports::OptIn{.number = number});
    if (!kept || !*kept) {
        return false;
    }
    desk_->post([this, answered = std::move(answered)]() mutable {
        desk_->follow_rules([answered = std::move(answered)](const Result<Kept>& how) {
            answered(how.value_or(Kept::here));
        });
    });
    return true;
}

bool FleetBox::is_opted_out(const std::string& number) {
    return look<ports::StoreReader>(
               [&](ports::StoreReader& reader) { return reader.opt_out(number); })
        .value()
        .has_value();
}

bool FleetBox::has_own_order(const std::string& number) {
    constexpr std::size_t all = 1'000;
    const auto own =
        look<ports::FleetReader>([](ports::FleetReader& reader) { return reader.own_rules(all); });
    return std::ranges::any_of(own.value(),
                               [&](const ports::OwnRule& one) { return one.rule.name == number; });
}

ports::RulesPlace FleetBox::rules_place() {
    return look<ports::FleetReader>([](ports::FleetReader& reader) { return reader.rules_place(); })
        .value();
}

Result<ports::MessageRow> FleetBox::row(MessageId id) {
    return look<ports::StoreReader>(
        [id](ports::StoreReader& reader) { return reader.message_row(id); });
}

std::optional<ports::FleetRow> FleetBox::place_of(MessageId id) {
    const auto rows = look<ports::FleetReader>(
        [id](ports::FleetReader& reader) { return reader.find(std::array{id}); });
    return rows ? rows->at(0) : std::nullopt;
}

void FleetBox::hear_report(const std::string& to) {
    StatusReport report{.modem = "m0",
                        .sim = sim_,
                        .tp_mr = 7,
                        .recipient = to,
                        .scts = clock_.wall(),
                        .discharge = clock_.wall(),
                        .raw = "pdu",
                        .received_at = clock_.wall()};
    report.fingerprint = {static_cast<std::uint8_t>(place_), ++reports_};
    (void)ask(ports::KeepReport{std::move(report)});
    desk_->wake();
}

std::size_t FleetBox::strays() {
    return look<ports::FleetReader>([](ports::FleetReader& reader) {
               return reader.stray_reports(1, WallTime::max(), 1'000);
           })
        .value()
        .reports.size();
}

bool FleetBox::is_still() const {
    return !runs() || std::ranges::none_of(
                          lines_, [](const Modem& modem) { return modem.attempt.has_value(); });
}

}  // namespace smsrack::test
