#include "tests/support/rack.hpp"

#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace smsrack::test {

namespace {

using namespace std::chrono_literals;

// Far above what a start takes (a second or two, most of it the modems'), for a machine that is
// busy.
constexpr auto start_within = 30s;
constexpr auto stop_within = 30s;
constexpr auto state_within = 20s;

wire::Json parse(std::string_view text) {
    auto value = wire::parse_json(text);
    if (!value) {
        throw std::runtime_error(fmt::format("not JSON: {}", text.substr(0, 200)));
    }
    return std::move(*value);
}

}  // namespace

std::string program(std::string_view name) {
    return fmt::format("{}/{}", SMSRACK_BIN_DIR, name);
}

Rack::Rack(RackPlan plan, bool and_service) : plan_(std::move(plan)) {
    rig::adopt_orphans();
    std::filesystem::create_directories(state_dir());
    // As the unit and the tmpfiles of the package make it.
    std::filesystem::permissions(state_dir(), std::filesystem::perms::owner_all);
    std::filesystem::create_directory(folder() / "modems");
    write_config();
    if (plan_.user) {
        hand_to_user();
    }
    start_modems();
    if (and_service) {
        start_service();
    }
}

std::filesystem::path Rack::state_dir() const {
    return plan_.state_dir.empty() ? folder() / "state" : plan_.state_dir;
}

std::string Rack::program(std::string_view name) const {
    return plan_.user ? (folder() / "bin" / name).string() : test::program(name);
}

std::string Rack::service_log() const {
    return read_file(folder() / "smsrackd.log");
}

void Rack::complain(const std::string& what, const std::filesystem::path& log) const {
    const std::string text = read_file(log);
    throw std::runtime_error(
        fmt::format("{}; end of {}:\n{}", what, log.filename().string(),
                    text.substr(text.size() - std::min<std::size_t>(text.size(), 1500))));
}

void Rack::hand_to_user() const {
    std::filesystem::create_directory(folder() / "bin");
    std::vector<std::filesystem::path> paths = {folder(), state_dir(), folder() / "modems",
                                                folder() / "bin", config_file()};
    for (const std::string_view name : {"smsrackd", "smsrack", "smsrack-sim"}) {
        std::filesystem::copy_file(test::program(name), program(name));
        paths.emplace_back(program(name));
    }
    for (const auto& path : paths) {
        if (chown(path.c_str(), *plan_.user, static_cast<gid_t>(-1)) != 0) {
            throw std::runtime_error("chown " + path.string());
        }
    }
}

void Rack::write_config() const {
    std::ofstream out(config_file());
    out << fmt::format("[service]\nstate_dir = \"{}\"\nsocket = \"{}\"\n\n{}\n",
                       state_dir().string(), socket().string(), plan_.config);
    for (unsigned n = 0; n < plan_.modems; ++n) {
        const auto keys = plan_.modem_keys.find(n);
        out << fmt::format("[[modem]]\nname = \"m{}\"\nport = \"{}/modems/modem{}\"\n{}\n", n,
                           folder().string(), n,
                           keys == plan_.modem_keys.end() ? "" : keys->second);
    }
    out << plan_.more_modems;
}

void Rack::start_modems() {
    const auto control = folder() / "sim.sock";
    Command command{.words = {program("smsrack-sim"), "--modems", std::to_string(plan_.modems),
                              "--dir", folder() / "modems", "--log", folder() / "submits.jsonl",
                              "--control", control, "--boot-ms", "200"},
                    .output = folder() / "smsrack-sim.log",
                    .user = plan_.user};
    command.words.insert(command.words.end(), plan_.sim_options.begin(), plan_.sim_options.end());
    modems_ = std::make_unique<Process>(command);
    const auto last = folder() / "modems" / fmt::format("modem{}", plan_.modems - 1);
    const bool there = wait_for(start_within, [&] {
        return !modems_->running() ||
               (std::filesystem::exists(last) && std::filesystem::exists(control));
    });
    if (!there || !modems_->running()) {
        complain("smsrack-sim did not start", command.output);
    }
}

void Rack::launch_service() {
    const std::string service =
        plan_.service.empty() ? program("smsrackd") : plan_.service.string();
    service_ = std::make_unique<Process>(Command{.words = {service, "--config", config_file()},
                                                 .output = folder() / "smsrackd.log",
                                                 .user = plan_.user,
                                                 .groups = plan_.groups});
}

void Rack::start_service() {
    launch_service();
    wait_ready();
    wait_active();
}

void Rack::wait_ready() {
    // Not /readyz: a paused rack, or one whose modems are drained, is started too.
    const auto ready = [&] {
        try {
            const wire::Json page = get("/v1/modems");
            return std::ranges::any_of(page.at("modems"), [](const wire::Json& modem) {
                return modem.at("link") == "active";
            });
        } catch (const std::runtime_error&) {
            return false;  // not listening yet
        }
    };
    if (!wait_for(start_within, [&] { return !service_->running() || ready(); }) ||
        !service_->running()) {
        complain("smsrackd did not become ready", folder() / "smsrackd.log");
    }
}

void Rack::wait_active() {
    const auto active = [&] {
        unsigned count = 0;
        const wire::Json page = get("/v1/modems");
        for (const wire::Json& modem : page.at("modems")) {
            count += modem.at("link") == "active" ? 1 : 0;
        }
        return count >= plan_.modems;
    };
    if (!wait_for(start_within, active)) {
        complain("the modems did not become active", folder() / "smsrackd.log");
    }
}

void Rack::kill_service() {
    service_->signal(SIGKILL);
    (void)service_->wait(stop_within);
}

Ending Rack::follow_service(pid_t pid) {
    auto next = std::make_unique<Process>(pid);
    const auto ending = service_->wait(stop_within);
    if (!ending) {
        complain("smsrackd did not end after a hand-over", folder() / "smsrackd.log");
    }
    service_ = std::move(next);
    return *ending;
}

Finished Rack::command(std::vector<std::string> words, std::chrono::milliseconds within) const {
    std::vector<std::string> all{program("smsrack"), "--socket", socket().string()};
    all.insert(all.end(), std::make_move_iterator(words.begin()),
               std::make_move_iterator(words.end()));
    return run({.words = std::move(all)}, within);
}

Ending Rack::stop_service() {
    service_->signal(SIGTERM);
    const auto ending = service_->wait(stop_within);
    if (!ending) {
        complain("smsrackd did not stop", folder() / "smsrackd.log");
    }
    return *ending;
}

HttpAnswer Rack::http(std::string_view method, std::string_view target, std::string_view body,
                      std::string_view headers) const {
    return test::http(socket(), method, target, body, headers);
}

wire::Json Rack::get(std::string_view target) const {
    const HttpAnswer answer = http("GET", target);
    if (answer.status != 200) {
        throw std::runtime_error(fmt::format("GET {}: {} {}", target, answer.status, answer.body));
    }
    return answer.json();
}

std::string Rack::submit(const wire::Json& message) const {
    const HttpAnswer answer = http("POST", "/v1/messages", message.dump());
    if (answer.status != 202) {
        throw std::runtime_error(
            fmt::format("POST /v1/messages: {} {}", answer.status, answer.body));
    }
    return answer.json().at("id");
}

bool Rack::reaches(const std::string& id, std::string_view state) const {
    return wait_for(state_within, [&] { return message(id).at("state") == state; });
}

std::map<std::string, std::int64_t> Rack::states() const {
    return get("/v1/status").at("messages");
}

std::vector<wire::Json> Rack::inbox() const {
    std::vector<wire::Json> rows;
    std::string target = "/v1/inbox?limit=1000";
    while (true) {
        const wire::Json page = get(target);
        rows.insert(rows.end(), page.at("messages").begin(), page.at("messages").end());
        if (page.at("next").is_null()) {
            return rows;
        }
        target = "/v1/inbox?limit=1000&cursor=" + page.at("next").get<std::string>();
    }
}

wire::Json Rack::simulate(const wire::Json& command) const {
    UnixStream control(folder() / "sim.sock");
    (void)control.send(command.dump() + "\n");
    wire::Json answer = parse(control.receive_until("\n"));
    if (!answer.value("ok", false)) {
        throw std::runtime_error(
            fmt::format("smsrack-sim refuses {}: {}", command.dump(), answer.dump()));
    }
    return answer;
}

std::vector<Submit> Rack::submits() const {
    std::vector<Submit> all;
    std::istringstream lines(read_file(folder() / "submits.jsonl"));
    // A last line without its end is not whole.
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
        const wire::Json entry = parse(line);
        if (entry.value("event", "") == "submit") {
            all.push_back(
                {entry.at("modem").dump(), entry.at("to"), entry.at("pdu"), entry.at("mr")});
        }
    }
    return all;
}

std::vector<Submit> Rack::submits_to(std::string_view number) const {
    auto all = submits();
    std::erase_if(all, [&](const Submit& submit) { return submit.to != number; });
    return all;
}

}  // namespace smsrack::test
