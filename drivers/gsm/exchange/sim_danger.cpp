#include "drivers/gsm/exchange/sim_danger.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace smsrack::gsm {
namespace {

constexpr std::string_view locks = "can lock the SIM for good";
constexpr std::string_view diverts = "can divert or bar what is for this SIM";
constexpr std::string_view centre = "changes the service centre that every message goes through";
constexpr std::string_view raw = "changes the SIM itself";

struct Command {
    std::string_view name;
    std::string_view does;
    bool has_secret;
    std::size_t query_field = 0;  ///< of its parameters, from 0
    std::string_view query = {};  ///< with this value it only asks; empty: each setting is a danger
};
constexpr std::array commands{
    Command{"+CPIN", locks, true},
    Command{"+CPIN2", locks, true},
    Command{"+CPWD", locks, true},
    Command{"+CLCK", locks, true, 1, "2"},
    Command{"+CCFC", diverts, false, 1, "2"},
    Command{"+CSCA", centre, false},
    Command{"+CSIM", raw, true},
    Command{"+CRSM", raw, true},
};

/// TS 22.030 Annex B: services whose codes change PINs, passwords, forwarding or barring.
struct Service {
    std::string_view code;
    std::string_view does;
    bool has_secret;
};
constexpr std::array services{
    Service{"03", locks, true},     Service{"04", locks, true},    Service{"042", locks, true},
    Service{"05", locks, true},     Service{"052", locks, true},   Service{"002", diverts, false},
    Service{"004", diverts, false}, Service{"21", diverts, false}, Service{"61", diverts, false},
    Service{"62", diverts, false},  Service{"67", diverts, false}, Service{"33", diverts, true},
    Service{"330", diverts, true},  Service{"331", diverts, true}, Service{"332", diverts, true},
    Service{"333", diverts, true},  Service{"35", diverts, true},  Service{"351", diverts, true},
    Service{"353", diverts, true},
};

/// `text`: one command, behind its AT or ";".
SimDanger danger_of_one(std::string_view text) {
    for (const Command& row : commands) {
        if (!text.starts_with(row.name)) {
            continue;
        }
        const std::string_view rest = text.substr(row.name.size());
        if (rest.empty() || rest == "?" || rest == "=?") {
            continue;
        }
        const bool is_longer_name = std::isalnum(static_cast<unsigned char>(rest.front())) != 0;
        if (is_longer_name) {
            continue;
        }
        const bool asks = rest.front() == '=' && !row.query.empty() &&
                          parameter(rest.substr(1), row.query_field) == row.query;
        if (!asks) {
            return {.does = row.does, .has_secret = row.has_secret};
        }
    }
    return {};
}

}  // namespace

std::string normalised_command(std::string_view command) {
    std::string text;
    bool quoted = false;
    for (const char c : command) {
        quoted = quoted != (c == '"');
        if (quoted) {
            text += c;
        } else if (c != ' ') {
            text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        }
    }
    return text;
}

SimDanger danger_of_command(std::string_view command) {
    const std::string text = normalised_command(command);
    std::string_view rest = text;
    for (;;) {
        const std::size_t plus = rest.find('+');
        if (plus == std::string_view::npos) {
            return {};
        }
        rest.remove_prefix(plus);
        const std::size_t end = std::min(rest.find(';'), rest.size());
        if (const SimDanger danger = danger_of_one(rest.substr(0, end)); !danger.does.empty()) {
            return danger;
        }
        rest.remove_prefix(1);
    }
}

SimDanger danger_of_code(std::string_view code) {
    const std::size_t begin = code.find_first_not_of("*#");
    if (begin == std::string_view::npos || code.substr(0, begin) == "*#") {  // *# asks
        return {};
    }
    const std::string_view service = code.substr(begin, code.find_first_of("*#", begin) - begin);
    const auto* const row = std::ranges::find(services, service, &Service::code);
    return row == services.end() || begin == 0
               ? SimDanger{}
               : SimDanger{.does = row->does, .has_secret = row->has_secret};
}

Result<> refuse_danger(const SimDanger& danger) {
    if (danger.does.empty()) {
        return {};
    }
    return fail(Errc::forbidden, "refused, since it " + std::string(danger.does) +
                                     R"(; insist with --force (API: "force": true))");
}

}  // namespace smsrack::gsm
