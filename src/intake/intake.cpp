#include "src/intake/intake.hpp"

#include "src/base/time_text.hpp"
#include "src/pdu/alphabet/dcs.hpp"
#include "src/pdu/message_pdus.hpp"
#include "src/pdu/segmenter.hpp"
#include "src/ports/client_states.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::intake {
namespace {

/// A start of the service: until then a SIM may have the number without our knowledge.
constexpr std::chrono::seconds modems_tell_within{60};
constexpr std::chrono::seconds modems_asked_again{2};

const NumberPlan& number_plan(const SubmitRequest& request, const IntakeSettings& settings) {
    const auto own = settings.group_plans.find(request.group);
    return own == settings.group_plans.end() ? settings.plan : own->second;
}

Result<pdu::SegmentPlan> plan_for(const MessageBody& body, std::size_t segments_max) {
    const auto plan = pdu::plan_segments(pdu::segment_request(body));
    if (!plan) {
        return std::unexpected(pdu::to_error(plan.error(), true));
    }
    if (plan->segments > segments_max) {
        return fail(Errc::too_long, "text: " + std::to_string(plan->segments) +
                                        " segments, at most " + std::to_string(segments_max) +
                                        " are allowed (segments_max)");
    }
    return *plan;
}

overload::Request request_of(const NewMessage& message) {
    return {.group = message.group,
            .level = message.level,
            .segments = message.segments,
            .who = identity_of(message)};
}

/// What the rules say that ask for nothing but the request and the time.
std::optional<rules::Refusal> refused(const std::string& to, Level level,
                                      std::optional<WallTime> quiet_until,
                                      const IntakeSettings& settings) {
    if (auto refusal = rules::refused_destination(settings.destinations, to)) {
        return refusal;
    }
    if (quiet_until && settings.quiet.refuses) {
        return rules::Refusal{.rule = rules::Rule::quiet_hours,
                              .sentence = "priority " + std::to_string(level) +
                                          " is not taken until " + time_text(*quiet_until),
                              .until = quiet_until};
    }
    return std::nullopt;
}

}  // namespace

struct Intake::Checked {
    MessageBody body;
    Level level = 0;
    std::chrono::seconds ttl{};
    RouteChoice route;
    std::optional<SimCard> by;       // the SIM that shall send
    std::optional<Error> no_sender;  // why the one that was asked for can't be
    pdu::SegmentPlan plan;
    WallTime first = {};                         // when it may go at the earliest
    std::optional<WallTime> quiet_until = {};    // the end of the quiet hours that it waits for
    std::optional<rules::Refusal> refusal = {};  // by a rule that asks for no rows
};

Intake::Intake(IntakeSettings settings, ports::Store& store, const Clock& clock,
               overload::Admission* admission, const ports::SimNumbers* sims,
               ports::FleetIntake* fleet)
    : settings_(std::move(settings)),
      store_(store),
      clock_(clock),
      admission_(admission),
      sims_(sims),
      fleet_(fleet),
      since_(clock.steady()),
      router_(settings_.routes, settings_.default_group) {}

Result<RouteChoice> Intake::group_for(const SubmitRequest& request, const Routed& message) const {
    if (request.group.empty()) {
        return router_.choose(
            message,
            [this](const std::string& group) {
                return admission_ == nullptr ? std::nullopt : admission_->load(group);
            },
            clock_.steady());
    }
    if (std::ranges::find(settings_.groups, request.group) == settings_.groups.end()) {
        return fail(Errc::bad_request, "group: no modem is in a group of this name");
    }
    return RouteChoice{.group = request.group, .why = "asked for by the sender"};
}

/// nullopt: any SIM may send.
Result<std::optional<ports::SimInRack>> Intake::sim_for(const SubmitRequest& request) const {
    if (request.sim) {
        return ports::SimInRack{.card = *request.sim, .group = request.group};
    }
    if (request.from.empty()) {
        return std::nullopt;
    }
    auto sim = sims_ == nullptr ? std::nullopt : sims_->sim_with(request.from);
    const bool fits = sim && (request.group.empty() || request.group == sim->group);
    if (fits || request.from_else_any) {
        return fits ? std::move(sim) : std::nullopt;
    }
    if (sim) {
        return fail(Errc::bad_sender, "from: the SIM with this number is in group " + sim->group);
    }
    if (sims_ != nullptr && !sims_->all_told() && clock_.steady() - since_ < modems_tell_within) {
        return std::unexpected(
            Error{.code = Errc::overloaded,
                  .context = "from: not every modem has told the number of its SIM yet",
                  .retry_after = modems_asked_again});
    }
    return fail(Errc::bad_sender, "from: no SIM of the rack is known to have this number");
}

Result<Intake::Checked> Intake::check(const SubmitRequest& request, WallTime now) const {
    if (auto members = check_members(request); !members) {
        return std::unexpected(std::move(members.error()));
    }
    auto number = normalised_number(request.to, number_plan(request, settings_));
    if (!number) {
        return std::unexpected(std::move(number.error()));
    }
    Checked checked{
        .body = {.to = std::move(*number),
                 .text = request.text.value_or(""),
                 .data = request.data.value_or(""),
                 .is_data = request.data.has_value(),
                 .report = request.report.value_or(settings_.default_report),
                 .ports = request.ports},
        .level = static_cast<Level>(request.priority.value_or(settings_.default_level)),
        .ttl = request.ttl_s ? std::chrono::seconds(*request.ttl_s) : settings_.default_ttl,
        .route = {},
        .by = {},
        .no_sender = {},
        .plan = {}};
    if (request.message_class) {
        checked.body.message_class = static_cast<std::uint8_t>(*request.message_class);
    }
    checked.body.elements = request.elements;
    checked.body.pid = static_cast<std::uint8_t>(request.pid.value_or(0));
    if (request.concat) {
        checked.body.part = PartPlace{.total = static_cast<std::uint8_t>(request.concat->of),
                                      .number = static_cast<std::uint8_t>(request.concat->part)};
    }
    auto plan = plan_for(checked.body, settings_.segments_max);
    if (!plan) {
        return std::unexpected(std::move(plan.error()));
    }
    if (checked.body.part && plan->segments > 1) {
        return fail(Errc::too_long, "concat: a part must fit into one segment");
    }
    checked.plan = *plan;
    auto sim = sim_for(request);
    if (!sim) {
        checked.no_sender = std::move(sim.error());
    }
    if (sim && *sim) {
        checked.by = std::move((*sim)->card);
        checked.route = {.group = std::move((*sim)->group),
                         .why = "the group of the SIM of `from`"};
    } else if (auto route = group_for(request, {.to = checked.body.to,
                                                .level = checked.level,
                                                .segments = checked.plan.segments})) {
        checked.route = std::move(*route);
    } else {
        return std::unexpected(std::move(route.error()));
    }
    const WallTime wanted = std::max(now, request.not_before.value_or(now));
    checked.quiet_until = settings_.quiet.end(checked.level, wanted);
    checked.first = checked.quiet_until.value_or(wanted);
    checked.refusal = refused(checked.body.to, checked.level, checked.quiet_until, settings_);
    return checked;
}

void Intake::submit(const SubmitRequest& request, ports::Done<ports::Accepted> done) {
    auto message = prepare(request);
    if (!message) {
        done(std::unexpected(std::move(message.error())));
    } else if (message->refused && message->ref.empty()) {
        done(std::unexpected(*std::move(message->refused)));
    } else {  // a client that asks again for its first answer gets it all the same
        auto away = fleet_ == nullptr ? std::nullopt : fleet_->refusal();
        if (away && message->ref.empty()) {
            return done(std::unexpected(*std::move(away)));
        }
        if (away && !message->refused) {
            message->refused = std::move(away);
        }
        router_.went(message->group, message->segments, clock_.steady());
        auto then = followed(*message, std::move(done));
        let_in(*std::move(message), std::move(then));
    }
}

Result<NewMessage> Intake::prepare(const SubmitRequest& request) const {
    const WallTime now = clock_.wall();
    auto checked = check(request, now);
    if (!checked) {
        return std::unexpected(std::move(checked.error()));
    }
    std::string client = request.client;
    ClientLimits limits_of_client;
    if (!client.empty()) {
        const auto limits = client_limits(client);
        if (!limits && !request.client_if_known) {
            return std::unexpected(limits.error());
        }
        limits_of_client = limits.value_or(ClientLimits());
        client = limits ? client : std::string();
    }
    const bool window = settings_.duplicate_window.count() > 0;
    const WallTime first = checked->first;
    NewMessage message{.body = std::move(checked->body),
                       .level = checked->level,
                       .group = std::move(checked->route.group),
                       .segments = checked->plan.segments,
                       .ref = request.ref,
                       .created_at = now,
                       .expires_at = first + checked->ttl,
                       .check_duplicate = window && !request.allow_duplicate,
                       .batch = request.batch,
                       .limits = settings_.limits,
                       .client = std::move(client),
                       .note = request.note,
                       .owner = request.owner,
                       .client_limits = limits_of_client,
                       .client_if_known = request.client_if_known,
                       .sticky = checked->route.sticky,
                       .by = std::move(checked->by),
                       .shared = fleet_ != nullptr};
    if (first > now) {
        message.not_before = first;
    }
    if (request.concat) {
        message.part_key = request.concat->key;
    }
    message.refused = checked->no_sender ? std::move(checked->no_sender)
                                         : checked->refusal.transform(rules::error_of);
    if (!request.ref.empty()) {
        message.fingerprint = fingerprint_of(request, message.body.to);
    }
    if (window) {
        message.text_hash = text_hash_of(message.body);
    }
    return message;
}

Result<ports::ReplaceMessage> Intake::replacement(const SubmitRequest& request,
                                                  MessageId message) const {
    const WallTime now = clock_.wall();
    auto checked = check(request, now);
    if (!checked) {
        return std::unexpected(std::move(checked.error()));
    }
    if (checked->refusal) {
        return std::unexpected(rules::error_of(*checked->refusal));
    }
    ports::ReplaceMessage replacement{.message = message,
                                      .body = std::move(checked->body),
                                      .segments = checked->plan.segments,
                                      .at = now};
    if (request.ttl_s) {
        replacement.ttl = checked->ttl;
    }
    if (request.not_before) {
        replacement.not_before = checked->first;
    }
    if (!request.note.empty()) {
        replacement.note = request.note;
    }
    replacement.report = request.report;
    return replacement;
}

std::optional<Error> Intake::overloaded(const NewMessage& message, std::uint32_t ahead) {
    if (admission_ == nullptr) {
        return std::nullopt;
    }
    overload::Request request = request_of(message);
    request.segments += ahead;
    if (!admission_->look(request)) {
        return std::nullopt;
    }
    // Which also sends the probe of a level that has no recent sample.
    overload::Answer answer = admission_->ask(request);
    if (!answer.refusal) {
        admission_->settled(answer.ticket, false);
        return std::nullopt;
    }
    if (answer.probe) {
        admission_->probed(answer.ticket);
    }
    return std::move(answer.refusal);
}

/// What the engine checks over all boxes as the store does of this one.
ports::Done<ports::Accepted> Intake::followed(const NewMessage& message,
                                              ports::Done<ports::Accepted> done) const {
    if (fleet_ == nullptr) {
        return done;
    }
    const ports::FleetChecks checks{
        .text_hash = message.check_duplicate ? message.text_hash : 0,
        .duplicate_window = message.check_duplicate
                                ? std::chrono::milliseconds(settings_.duplicate_window)
                                : std::chrono::milliseconds(0),
        .limits = message.limits,
        .client_waiting_max = message.client_limits.waiting_max};
    return
        [fleet = fleet_, checks, done = std::move(done)](Result<ports::Accepted> accepted) mutable {
            const bool is_new = accepted && !accepted->repeated && accepted->kept == Kept::here;
            if (is_new) {
                return fleet->follow(*std::move(accepted), checks, std::move(done));
            }
            done(std::move(accepted));
        };
}

/// A message for later is no work now, so only the store's capacity bounds those. One that is refused still goes to the store
/// where its ref may be known there, or where it is wanted as a probe.
void Intake::let_in(NewMessage message, ports::Done<ports::Accepted> done) {
    if (admission_ == nullptr || message.not_before || message.refused) {
        store_.post(ports::Accept{std::move(message)}, std::move(done));
        return;
    }
    overload::Answer answer = admission_->ask(request_of(message));
    if (!answer.refusal) {
        const WallTime at = message.created_at;
        store_.post(ports::Accept{std::move(message)},
                    [this, ticket = answer.ticket, expected = answer.expected, at,
                     done = std::move(done)](Result<ports::Accepted> accepted) mutable {
                        const bool kept = accepted && !accepted->repeated;
                        admission_->settled(ticket, kept);
                        if (kept && expected) {
                            accepted->expected_at = at + *expected;
                        }
                        done(std::move(accepted));
                    });
        return;
    }
    if (message.ref.empty() && !answer.probe) {
        done(std::unexpected(*std::move(answer.refusal)));
        return;
    }
    message.admitted = false;
    store_.post(ports::Accept{std::move(message)},
                [this, answer = std::move(answer),
                 done = std::move(done)](Result<ports::Accepted> accepted) mutable {
                    if (!accepted && accepted.error().code == Errc::overloaded) {
                        if (answer.probe) {
                            admission_->probed(answer.ticket);
                        }
                        accepted = std::unexpected(*std::move(answer.refusal));
                    }
                    done(std::move(accepted));
                });
}

Result<Preview> Intake::preview(const SubmitRequest& request) const {
    const WallTime now = clock_.wall();
    auto checked = check(request, now);
    if (!checked || checked->no_sender) {
        return std::unexpected(checked ? std::move(*checked->no_sender)
                                       : std::move(checked.error()));
    }
    std::optional<Error> overloaded;
    if (admission_ != nullptr && checked->first <= now) {
        overloaded = admission_->look({.group = checked->route.group,
                                       .level = checked->level,
                                       .segments = checked->plan.segments});
    }
    return Preview{.to = std::move(checked->body.to),
                   .encoding = std::string(pdu::alphabet_name(checked->plan.alphabet)),
                   .segments = checked->plan.segments,
                   .units = checked->plan.units,
                   .units_per_segment = checked->plan.units_per_segment,
                   .group = std::move(checked->route.group),
                   .why_group = std::move(checked->route.why),
                   .sticky = checked->route.sticky,
                   .level = checked->level,
                   .expires_at = checked->first + checked->ttl,
                   .refusal = std::move(overloaded),
                   .refused = std::move(checked->refusal),
                   .quiet_until = checked->quiet_until};
}

bool Intake::was_asked_for(std::string_view to, std::string_view group) const {
    return !router_.leads_to(to, group) &&
           std::ranges::find(settings_.groups, group) != settings_.groups.end();
}

Result<ClientLimits> Intake::client_limits(std::string_view client) const {
    if (!ports::is_client_name(client)) {
        return fail(Errc::bad_request,
                    "client: not 1 to 32 of letters, digits, \"_\", \"-\" and \".\"");
    }
    const auto own = settings_.clients.find(client);
    if (own != settings_.clients.end()) {
        return own->second;
    }
    if (settings_.known_clients_only) {
        return fail(Errc::forbidden,
                    "rule known_clients: no [[client]] has the name " + std::string(client));
    }
    return settings_.client_limits;
}

}  // namespace smsrack::intake
