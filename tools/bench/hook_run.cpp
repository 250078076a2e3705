#include "tools/bench/hook_run.hpp"

#include "tools/client/http_client.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <utility>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;

// The test vector of Standard Webhooks.
constexpr std::string_view secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";

std::string name_of(std::size_t number) {
    return fmt::format("hook{}", number);
}

std::string tables_of(const HookPlan& plan,
                      const std::vector<std::unique_ptr<HookReceiver>>& receivers,
                      const std::string& key) {
    std::string tables;
    for (std::size_t i = 0; i < receivers.size(); ++i) {
        tables += fmt::format(
            "[[webhook]]\nname = \"{}\"\nurl = \"http://127.0.0.1:{}/\"\nevents = [\"{}\"]\n"
            "secret = {{ file = \"{}\" }}\nparallel = {}\n",
            name_of(i), receivers[i]->port(), plan.events, key, plan.parallel);
    }
    return tables;
}

}  // namespace

Result<std::unique_ptr<HookRun>> HookRun::start(const Context& context, const std::string& folder,
                                                const HookPlan& plan) {
    std::unique_ptr<HookRun> run(new HookRun(context));
    while (run->receivers_.size() < plan.endpoints) {
        auto receiver = HookReceiver::open();
        if (!receiver) {
            return std::unexpected(std::move(receiver.error()));
        }
        run->receivers_.push_back(*std::move(receiver));
    }
    const auto place = context.folder / folder;
    std::filesystem::create_directories(place);
    const std::string key = place / "hook.key";
    std::ofstream(key) << secret;
    auto rack = rig::Rack::open(place / "rack",
                                {.sim_options = plan.sim_options,
                                 .config = plan.config + tables_of(plan, run->receivers_, key)},
                                context.interrupt);
    if (!rack) {
        return std::unexpected(std::move(rack.error()));
    }
    run->rack_ = *std::move(rack);
    const auto program = rig::program("smsrack-gate");
    const auto started = run->rack_->start_service();
    if (!program || !started) {
        return std::unexpected(program ? started.error() : program.error());
    }
    run->gate_ = std::make_unique<rig::Process>(
        rig::Command{.words = {*program, "--config", place / "rack" / "smsrack.toml"},
                     .output = place / "gate.log"});
    for (std::size_t i = 0; i < plan.endpoints; ++i) {
        if (auto works = run->order(i, "test"); !works) {
            return std::unexpected(std::move(works.error()));
        }
    }
    return run;
}

Result<> HookRun::order(std::size_t number, std::string_view what) const {
    client::HttpClient http(rack_->socket(), {.stop_fd = interrupt_.fd()});
    const auto reply = http.call(
        {.method = "POST", .target = fmt::format("/v1/webhooks/{}/{}", name_of(number), what)});
    if (!reply) {
        return std::unexpected(reply.error());
    }
    const bool well = reply->ok() && (what != "test" || reply->body.contains(R"("ok":true)"));
    return well ? Result<>()
                : fail(Errc::protocol,
                       fmt::format("webhook {} {}: {}", name_of(number), what, reply->body));
}

Result<> HookRun::wait(std::string_view what, std::chrono::seconds within,
                       const std::function<bool()>& holds) const {
    const auto deadline = std::chrono::steady_clock::now() + within;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return fail(Errc::timeout, std::string(what));
        }
        if (interrupt_.rest(20ms)) {
            return rig::called_off();
        }
    }
    return {};
}

Result<> HookRun::wait_for_events(std::size_t number, std::size_t events) const {
    std::size_t before = 0;
    auto changed = std::chrono::steady_clock::now();
    return wait("events", 600s, [&] {
        const std::size_t now = receivers_.at(number)->came();
        if (now != before) {
            before = now;
            changed = std::chrono::steady_clock::now();
        }
        return now >= events || std::chrono::steady_clock::now() > changed + 2s;
    });
}

}  // namespace smsrack::bench
