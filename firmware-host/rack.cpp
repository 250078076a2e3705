#include "firmware-host/rack.hpp"

#include "firmware-host/rack_settings.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>

namespace smsrack::host {
namespace {

/// Waits for the store's answer: at start only.
template <typename Reader, typename Port, typename Question>
auto answer_of(Port& store, Question question) {
    using Answer = std::invoke_result_t<Question&, Reader&>;
    std::promise<Answer> promise;
    store.ask(std::move(question), [&](Answer answer) { promise.set_value(std::move(answer)); });
    return promise.get_future().get();
}

/// Of attempts found open at this start, the one of each line; there is at most one.
Result<std::map<std::string, ports::UncertainAttempt>> left_open(ports::Store& store) {
    // More doubts than lines: older ones, of which no port can report anything.
    constexpr std::size_t most = 10'000;
    auto attempts = answer_of<ports::StoreReader>(
        store, [](ports::StoreReader& reader) { return reader.uncertain(std::nullopt, most); });
    if (!attempts) {
        return std::unexpected(std::move(attempts.error()));
    }
    std::map<std::string, ports::UncertainAttempt> open;
    for (ports::UncertainAttempt& attempt : *attempts) {
        if (attempt.recovered) {
            open.insert_or_assign(attempt.modem, std::move(attempt));
        }
    }
    return open;
}

line::GivenUp given_up(const ports::UncertainAttempt& attempt) {
    return {attempt.attempt, attempt.message, attempt.segment, attempt.started_at};
}

}  // namespace

Rack::Rack(const config::Settings& settings, RackWorld world)
    : world_(std::move(world)),
      admission_(
          {.protect = settings.priority.protect, .t_max = settings.priority.sla}, world_.store,
          world_.address.flow.responses(),
          [this, n_max = n_max_of(settings)](const std::string& group) {
              return lines_of(group, n_max);
          },
          world_.clock, [this] { scaler_.call_lines(); }),
      slots_(dispatch::slots_for(groups_of(settings).size(), settings.modems.size())),
      send_codec_({.short_validity = settings.queue.short_validity}, world_.clock, world_.random),
      receive_codec_({world_.codec_pool, world_.store, world_.clock, world_.stats, world_.log}),
      dispatcher_(dispatch_settings(settings),
                  {world_.store, world_.codec_pool, send_codec_, slots_, world_.address.dispatcher,
                   world_.clock, world_.random, world_.errors, world_.stats, world_.address.flow,
                   world_.address.board, world_.log, &world_.clock, &world_.store, &world_.store,
                   &world_.quiet}),
      view_({world_.address.board, world_.address.flow, world_.store, admission_, scaling_board_,
             world_.address.pauses, dispatcher_, world_.clock, &world_.clock, &world_.store,
             world_.box},
            world_.log),
      scaler_(scaler_settings(settings),
              {world_.address.board, world_.address.flow, admission_,
               [this] { return waiting_for_lines(); }, world_.store,
               [&to = world_.address.dispatcher](ModemId line, ports::GateOrder order) {
                   to.gate(line, order, {});
               },
               [this](ModemId line, std::chrono::milliseconds length) {
                   lines_.at(line.value).address.stay_awake(length);
               },
               scaling_board_, world_.stats, scaling_waiter_, world_.clock, world_.log}),
      self_sms_(self_sms_settings(settings), self_sms_world()),
      self_sms_order_(self_sms_world()),
      dispatch_worker_("dispatch", dispatcher_, world_.address.dispatch_waiter, world_.clock),
      scaling_worker_("scaling", scaler_, scaling_waiter_, world_.clock),
      self_sms_worker_("self-sms", self_sms_, self_sms_waiter_, world_.clock) {}

Rack::~Rack() {
    stop();
}

dispatch::SelfSmsWorld Rack::self_sms_world() {
    RackAddress& address = world_.address;
    return {address.board,  address.flow.responses(),
            address.pauses, &world_.quiet,
            world_.store,   world_.store,
            world_.stats,   world_.clock,
            world_.random,  world_.log};
}

Result<std::unique_ptr<Rack>> Rack::make(const config::Settings& settings, RackWorld world,
                                         std::vector<LineHandOver> left,
                                         const RackLearned& learned) {
    auto rack = std::make_unique<Rack>(settings, std::move(world));
    auto made = rack->add_groups(settings);
    if (made) {
        made = rack->add_lines(settings, std::move(left));
    }
    if (made) {
        made = rack->read_store();
    }
    if (!made) {
        return std::unexpected(std::move(made.error()));
    }
    rack->admission_.adopt(learned.groups);
    rack->dispatcher_.adopt(learned.cooling);
    rack->scaler_.adopt(learned.scaling);
    rack->adopt_wakes(learned.wakes);
    rack->view_.adopt(learned.conditions);
    rack->adopt_lines();
    return rack;
}

Result<> Rack::add_groups(const config::Settings& settings) {
    for (const std::string& name : groups_of(settings)) {
        const auto id = world_.store.group_id(name);
        if (!id) {
            return std::unexpected(id.error());
        }
        const auto lines = std::ranges::count(settings.modems, name,
                                              [](const auto& modem) { return modem.line.group; });
        dispatcher_.add_group(*id, name, static_cast<std::size_t>(lines));
        groups_.emplace_back(*id, name);
        admission_.add_group(*id, name);
        self_sms_.add_group(*id, name);
    }
    return {};
}

/// The store counts messages, and the segments of those that no held batch has: what waits is the fewer of both.
std::int64_t Rack::waiting_for_lines() const {
    std::int64_t work = 0;
    for (const auto& [id, name] : groups_) {
        if (!dispatch::is_paused(world_.address.pauses, name)) {
            const ports::LevelCounts levels = world_.store.work(id);
            work += std::accumulate(levels.begin(), levels.end(), std::int64_t{0});
        }
    }
    const ports::LevelCounts waiting = world_.store.waiting();
    return std::min(work, std::accumulate(waiting.begin(), waiting.end(), std::int64_t{0}));
}

/// Those beyond n_max stay parked, whatever the load.
ports::GroupLines Rack::lines_of(const std::string& group, std::uint32_t n_max) const {
    const line::LineBoard& board = world_.address.board;
    const SteadyTime now = world_.clock.steady();
    ports::GroupLines lines = board.group_lines(group, now);
    lines.paused = dispatch::is_paused(world_.address.pauses, group);
    if (!lines.parked.empty()) {
        const std::size_t open = board.open_lines(now);
        lines.parked.resize(
            std::min(lines.parked.size(), n_max - std::min<std::size_t>(n_max, open)));
    }
    return lines;
}

/// Each line is made last, from all that it writes to.
Result<> Rack::add_lines(const config::Settings& settings, std::vector<LineHandOver> left) {
    auto open = left_open(world_.store);
    if (!open) {
        return std::unexpected(std::move(open.error()));
    }
    line::LineBoard& board = world_.address.board;
    const auto groups = groups_of(settings);
    for (const config::ModemSettings& modem : settings.modems) {
        const ModemId id = board.add(modem.name, modem.port, modem.line.group);
        const auto found = open->find(modem.name);
        const auto earlier = found != open->end() ? std::optional(found->second) : std::nullopt;
        auto quota = quota_of(modem, world_.shares != nullptr, world_.clock);
        if (!quota) {
            return std::unexpected(std::move(quota.error()));
        }
        RackLine& line = lines_.emplace_back(id, modem, settings.service, world_.open_port,
                                             world_.power_of, world_.clock, world_.log);
        line.quota = *std::move(quota);
        if (line.quota && line.quota->has_limits()) {
            board.show(id, *line.quota);
        }
        line.adopt_modem(left, modem, world_.log);
        const auto group = static_cast<std::uint16_t>(
            std::distance(groups.begin(), groups.find(modem.line.group)));
        queue::SendQueue& encoded =
            dispatcher_.add_line(id, group, line.address, line.quota.get(), earlier);
        receive_codec_.add_line({.name = modem.name,
                                 .plan = plan_of(modem.line),
                                 .own_number = [&board, id] { return board.own_number(id); }},
                                line.address.received(), line.address);
        line::LineSettings how = line_settings(modem, id, settings.scaling);
        how.left_open = earlier.transform(given_up);
        how.adopted = line.carried.has_value();
        line.line.emplace(
            std::move(how),
            line::LineWorld{line.address, line.modem, world_.store, world_.address.dispatcher,
                            [this, id] { receive_codec_.pdus_wait(id); }, encoded, slots_, board,
                            world_.clock, world_.log, world_.random, line.quota.get(),
                            world_.shares});
        line.worker.emplace("line-" + modem.name, *line.line, line.modem.waiter(), world_.clock);
    }
    return {};
}

/// What outlives the process: lines that the operator had blocked, pauses, probes that may still be out.
Result<> Rack::read_store() {
    auto blocked = answer_of<ports::RackReader>(
        world_.store, [](ports::RackReader& reader) { return reader.blocked_lines(); });
    if (!blocked) {
        return std::unexpected(std::move(blocked.error()));
    }
    for (const std::string& name : *blocked) {
        if (const RackLine* const line = line_named(name)) {
            dispatcher_.begin_blocked(line->id);
        }
    }
    auto pauses = answer_of<ports::StoreReader>(
        world_.store, [](ports::StoreReader& reader) { return reader.pauses(); });
    if (!pauses) {
        return std::unexpected(std::move(pauses.error()));
    }
    world_.address.pauses_changed(*pauses);
    auto sent = answer_of<ports::RackReader>(
        world_.store, [](ports::RackReader& reader) { return reader.self_sms_sent(); });
    if (!sent) {
        return std::unexpected(std::move(sent.error()));
    }
    self_sms_.remember(*std::move(sent));
    return {};
}

void Rack::stay_down(std::string why) {
    for (const RackLine& line : lines_) {
        world_.address.board.not_ready(line.id, ports::LinkState::stop, "storage", why);
    }
    stays_down_ = std::move(why);
}

void Rack::start() {
    if (stays_down_) {
        return;
    }
    dispatch_worker_.start();
    scaling_worker_.start();
    if (self_sms_.has_work()) {
        self_sms_worker_.start();
    }
    for (RackLine& line : lines_) {
        line.worker->start();
    }
}

std::vector<Stepper*> Rack::steppers() {
    std::vector<Stepper*> all{&dispatcher_, &scaler_, &self_sms_};
    for (RackLine& line : lines_) {
        all.push_back(&*line.line);
    }
    return all;
}

Result<RackLine*> Rack::orderable(std::string_view name) {
    if (stays_down_) {
        return fail(Errc::storage, *stays_down_);
    }
    RackLine* const line = line_named(name);
    return line != nullptr ? Result<RackLine*>(line)
                           : fail(Errc::not_found, "no modem has this name");
}

Result<> Rack::order(std::string_view line, ports::HandOrder order, ports::HandDone done) {
    const auto found = orderable(line);
    if (!found) {
        return std::unexpected(found.error());
    }
    (*found)->address.order(std::move(order), std::move(done));
    return {};
}

Result<> Rack::gate(std::string_view line, ports::GateOrder order, ports::GateDone done) {
    const auto found = orderable(line);
    if (!found) {
        return std::unexpected(found.error());
    }
    world_.address.dispatcher.gate((*found)->id, order, std::move(done));
    return {};
}

RackLine* Rack::line_named(std::string_view name) {
    const auto found = std::ranges::find(lines_, name, &RackLine::name);
    return found == lines_.end() ? nullptr : &*found;
}

std::vector<const Worker*> Rack::workers() const {
    std::vector<const Worker*> all{&dispatch_worker_, &scaling_worker_, &self_sms_worker_};
    for (const RackLine& line : lines_) {
        all.push_back(&*line.worker);
    }
    return all;
}

void Rack::stop() {
    self_sms_worker_.stop();
    scaling_worker_.stop();
    for (RackLine& line : lines_) {
        if (line.worker) {
            line.worker->stop();
        }
    }
    dispatch_worker_.stop();
}

}  // namespace smsrack::host
