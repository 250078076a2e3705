#include "db/postgres/connect_plan.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <string_view>

namespace smsrack::postgres {
namespace {

std::vector<std::string> parts_of(std::string_view list) {
    std::vector<std::string> parts;
    while (true) {
        const auto comma = list.find(',');
        parts.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos) {
            return parts;
        }
        list.remove_prefix(comma + 1);
    }
}

/// libpq takes one port for all hosts, or one for each.
std::string part(const std::vector<std::string>& parts, std::size_t i) {
    return parts.size() == 1 ? parts.front() : i < parts.size() ? parts[i] : "";
}

std::int64_t seconds_of(std::chrono::milliseconds time) {
    return std::max<std::int64_t>(1, std::chrono::floor<std::chrono::seconds>(time).count());
}

/// The settings of the session. Plans go by index always: tables are empty when the first plan is made, and a plan is
/// kept while they grow.
std::string options(const EngineTimes& times) {
    return fmt::format(
        "-c synchronous_commit=on -c standard_conforming_strings=on -c client_min_messages=warning "
        "-c default_transaction_isolation=read\\ committed -c default_transaction_read_only=off "
        "-c search_path=smsrack -c statement_timeout={} -c lock_timeout={} "
        "-c idle_in_transaction_session_timeout={} -c tcp_user_timeout={} -c "
        "tcp_keepalives_idle={} "
        "-c tcp_keepalives_interval=1 -c tcp_keepalives_count=3 -c jit=off "
        "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off "
        "-c enable_mergejoin=off",
        times.statement.count(), times.lock.count(), times.idle.count(), times.unreachable.count(),
        seconds_of(times.idle));
}

}  // namespace

Result<std::vector<ConnectValues>> connect_plan(const PqLibrary& pq, const std::string& conninfo,
                                                const EngineTimes& times, const std::string& box) {
    char* why = nullptr;
    const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options_of(
        pq.conninfo_parse(conninfo.c_str(), &why), pq.conninfo_free);
    if (!options_of) {
        // libpq's words quote the string, which may have a password against all advice.
        pq.free_memory(why);
        return fail(Errc::bad_config, "engine: libpq does not understand this connection string");
    }
    std::map<std::string, std::string> values;
    for (const PQconninfoOption* option = options_of.get(); option->keyword != nullptr; ++option) {
        if (option->val != nullptr) {
            values[option->keyword] = option->val;
        }
    }
    if (values.contains("password")) {
        return fail(Errc::bad_config,
                    "engine: there is a password in the connection string; use a certificate "
                    "(sslcert, sslkey) or a passfile");
    }
    const auto hosts = parts_of(values["host"]);
    const auto addresses = parts_of(values["hostaddr"]);
    const auto ports = parts_of(values["port"]);
    values["options"] += (values["options"].empty() ? "" : " ") + options(times);
    values["target_session_attrs"] = "read-write";
    values["client_encoding"] = "UTF8";
    values["application_name"] = "smsrack " + box;
    values["tcp_user_timeout"] = std::to_string(times.unreachable.count());
    values["keepalives_idle"] = std::to_string(seconds_of(times.idle));
    values["keepalives_interval"] = "1";
    values["keepalives_count"] = "3";

    std::vector<ConnectValues> plan;
    for (std::size_t i = 0; i < std::max(hosts.size(), addresses.size()); ++i) {
        values["host"] = part(hosts, i);
        values["hostaddr"] = part(addresses, i);
        values["port"] = part(ports, i);
        ConnectValues& host = plan.emplace_back();
        for (const auto& [keyword, value] : values) {
            if (!value.empty()) {
                host.emplace_back(keyword, value);
            }
        }
    }
    return plan;
}

Result<> check_conninfo(const std::string& conninfo) {
    const auto hosts = ip_hosts(conninfo);
    return hosts ? Result<>() : std::unexpected(hosts.error());
}

Result<std::vector<std::string>> ip_hosts(const std::string& conninfo) {
    const auto pq = PqLibrary::load();
    if (!pq) {
        return std::unexpected(pq.error());
    }
    constexpr std::chrono::seconds any_lease{15};
    const auto plan = connect_plan(**pq, conninfo, EngineTimes::of(any_lease), "");
    if (!plan) {
        return std::unexpected(plan.error());
    }
    std::vector<std::string> found;
    for (const ConnectValues& host : *plan) {
        for (const char* keyword : {"hostaddr", "host"}) {
            const auto value = std::ranges::find(host, keyword, &ConnectValues::value_type::first);
            if (value != host.end()) {
                if (!value->second.starts_with('/') && !value->second.starts_with('@')) {
                    found.push_back(value->second);
                }
                break;
            }
        }
    }
    return found;
}

}  // namespace smsrack::postgres
