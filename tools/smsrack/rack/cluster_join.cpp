// `smsrack cluster join`: registers this box with the engine of its fleet, which is there already.
//
// The key of the box is on its disk before the engine knows the name, so that a join that was interrupted
// is done again by the same command.
#include "db/postgres/postgres_engine.hpp"
#include "db/postgres/postgres_schema.hpp"
#include "firmware-host/setup/box_identity.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/cluster_unit.hpp"
#include "tools/smsrack/rack/cluster_words.hpp"
#include "tools/smsrack/rack/config_command.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <future>
#include <memory>
#include <string>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;

// The engine may be amid a change of its primary.
constexpr auto answers_within = 30s;
constexpr auto asked_again = 500ms;

struct JoinOptions {
    std::string config = usual_config;
    std::string owner = {};
};

/// What went wrong is in the answers.
class NoLog final : public Log {
public:
    [[nodiscard]] bool enabled(LogLevel /*level*/) const override { return false; }
    void write(LogLevel /*level*/, std::string_view /*event*/,
               std::initializer_list<LogField> /*fields*/) override {}
};

Outcome<std::string> fresh_key() {
    std::array<unsigned char, 32> chance{};
    if (::getrandom(chance.data(), chance.size(), 0) != static_cast<ssize_t>(chance.size())) {
        return failure(ExitCode::failed, "the system gives no random numbers: " +
                                             std::generic_category().message(errno));
    }
    std::string key;
    for (const unsigned char octet : chance) {
        key += fmt::format("{:02x}", octet);
    }
    return key;
}

Failure failure_of(const Error& error) {
    const bool refused = error.code == Errc::not_allowed;
    return {.code = refused ? ExitCode::not_allowed : ExitCode::failed, .message = error.context};
}

/// For the account of the service alone, which has the folder above.
Outcome<> write_identity(const std::filesystem::path& state_dir,
                         const host::BoxIdentity& identity) {
    constexpr mode_t own_folder = 0700;
    constexpr mode_t own_file = 0600;
    const auto file = host::identity_file(state_dir);
    const auto folder = file.parent_path();
    struct stat owner = {};
    const bool made =
        ::stat(state_dir.c_str(), &owner) == 0 &&
        (::mkdir(folder.c_str(), own_folder) == 0 || errno == EEXIST) &&
        (::geteuid() != 0 || ::lchown(folder.c_str(), owner.st_uid, owner.st_gid) == 0);
    const Result<> written =
        made ? write_whole_file(file, host::identity_text(identity), Existing::replace, own_file,
                                owner.st_gid, owner.st_uid)
             : Result<>(fail(errno == EACCES || errno == EPERM ? Errc::not_allowed : Errc::storage,
                             folder.string() + ": " + std::generic_category().message(errno)));
    if (!written) {
        Failure failure = failure_of(written.error());
        failure.message += "; do this as root, or as the account of the service";
        return std::unexpected(std::move(failure));
    }
    return ExitCode::done;
}

/// Who this box is, or what it shall be: then its key is new, and on its disk.
Outcome<host::BoxIdentity> identity_for(const std::string& state_dir, const std::string& name) {
    auto identity = host::read_identity(state_dir);
    if (identity && identity->name == name) {
        return *std::move(identity);
    }
    if (identity && identity->number != BoxNumber{}) {
        return failure(
            ExitCode::failed,
            fmt::format("this box joined as {}: to get another name it leaves the fleet (`smsrack "
                        "cluster drain {}`, then `leave`), and {} is removed",
                        identity->name, identity->name, host::identity_file(state_dir).string()));
    }
    if (!identity && identity.error().code != Errc::not_found) {
        return std::unexpected(failure_of(identity.error()));
    }
    auto key = fresh_key();
    if (!key) {
        return std::unexpected(key.error());
    }
    host::BoxIdentity fresh{.name = name, .key = *std::move(key)};
    if (auto written = write_identity(state_dir, fresh); !written) {
        return std::unexpected(std::move(written.error()));
    }
    return fresh;
}

/// The answer to one command; it is asked again while the engine is not reached.
template <typename Command>
Result<typename Command::Answer> ask(postgres::PostgresEngine& engine, const Command& command) {
    const auto deadline = std::chrono::steady_clock::now() + answers_within;
    for (;;) {
        const auto promise = std::make_shared<std::promise<Result<typename Command::Answer>>>();
        auto answer = promise->get_future();
        engine.post(command, [promise](Result<typename Command::Answer> result) {
            promise->set_value(std::move(result));
        });
        if (answer.wait_until(deadline) != std::future_status::ready) {
            return fail(Errc::timeout, "the engine does not answer");
        }
        auto result = answer.get();
        const bool is_away = !result && (result.error().code == Errc::closed ||
                                         result.error().code == Errc::outcome_unknown);
        if (!is_away || std::chrono::steady_clock::now() + asked_again >= deadline) {
            return result;
        }
        std::this_thread::sleep_for(asked_again);
    }
}

Outcome<> migrate_schema(const std::string& owner, Context& context) {
    const auto steps = postgres::migrate(owner);
    if (!steps) {
        return failure(ExitCode::failed, "the schema of the engine: " + steps.error().context);
    }
    if (*steps > 0) {
        context.console.note(fmt::format("the engine's schema got {} steps", *steps));
    }
    return ExitCode::done;
}

Outcome<> join_as(host::BoxIdentity identity, const config::Settings& settings, Context& context) {
    const config::ClusterSettings& cluster = *settings.cluster;
    const RealClock clock;
    NoLog log;
    const auto engine = postgres::PostgresEngine::make(
        {.conninfo = cluster.engine, .box = cluster.name, .lease = cluster.lease}, clock, log);
    if (!engine) {
        return std::unexpected(failure_of(engine.error()));
    }
    (*engine)->start();
    const auto number =
        ask(**engine, ports::RegisterBox{.who = {.name = identity.name, .key = identity.key},
                                         .site = cluster.site,
                                         .number = identity.number});
    if (!number && number.error().code == Errc::conflict) {
        return failure(ExitCode::failed,
                       identity.number == BoxNumber{}
                           ? fmt::format("another box has the name {}; give this one another name "
                                         "in [cluster]",
                                         identity.name)
                           : fmt::format("another box has the name {} or the number {}",
                                         identity.name, identity.number.value));
    }
    if (!number) {
        return failure(ExitCode::unreachable, "the engine: " + number.error().context);
    }
    identity.number = *number;
    if (auto written = write_identity(settings.service.state_dir, identity); !written) {
        return written;
    }
    if (auto installed = let_service_reach(cluster.engine, context); !installed) {
        return installed;
    }
    const auto facts = ask(**engine, ports::CheckEngine{});
    (*engine)->stop();
    if (!facts) {
        return failure(ExitCode::failed, "the box has joined, but its engine was not checked: " +
                                             facts.error().context);
    }
    wire::Json shown = facts_json(*facts);
    shown["name"] = identity.name;
    shown["number"] = identity.number.value;
    return report(shown,
                  fmt::format("{} is box {} of its fleet; restart the service\n{}", identity.name,
                              identity.number.value, facts_text(shown, context.console)),
                  context);
}

Outcome<> join(const JoinOptions& options, Context& context) {
    const auto settings = load_config(options.config, context);
    if (!settings) {
        return std::unexpected(settings.error());
    }
    if (!settings->cluster) {
        return failure(ExitCode::bad_data,
                       options.config + ": has no [cluster]; its `name` and `engine` come first");
    }
    if (!options.owner.empty()) {
        if (auto migrated = migrate_schema(options.owner, context); !migrated) {
            return migrated;
        }
    }
    auto identity = identity_for(settings->service.state_dir, settings->cluster->name);
    if (!identity) {
        return std::unexpected(identity.error());
    }
    return join_as(*std::move(identity), *settings, context);
}

}  // namespace

void declare_cluster_join(const CommandGroup& cluster) {
    const auto command = cluster.command(
        {"join",
         "make this box one of a fleet; the engine is there already",
         {"cluster join", "cluster join --owner \"host=10.0.0.1 dbname=smsrack user=owner\""}},
        join);
    command.app.add_option("--config", command.options.config, "configuration with [cluster]")
        ->capture_default_str();
    command.app.add_option("--owner", command.options.owner,
                           "connection as the role that owns the database: makes or extends the "
                           "schema first");
}

}  // namespace smsrack::cli
