#include "tools/smsrack/firmware/firmware_box.hpp"

#include "tools/smsrack/screen/console.hpp"

#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace smsrack::cli {

Outcome<> require_box(const FirmwareBox& box) {
    std::error_code ignored;
    if (!std::filesystem::exists(box.system_conf(), ignored)) {
        return failure(
            ExitCode::failed,
            fmt::format("this machine does not run smsrack's firmware: {} is missing; elsewhere "
                        "the package manager, or `smsrack upgrade`, changes the version",
                        box.system_conf().string()));
    }
    return ExitCode::done;
}

Outcome<std::string> output_of(const FirmwareBox& box, const std::vector<std::string>& words) {
    auto answer = box.programs.run(words, {});
    if (!answer) {
        return failure(ExitCode::failed, answer.error().context);
    }
    if (answer->code != 0) {
        std::string why = last_line(answer->err);
        return failure(ExitCode::failed,
                       fmt::format("`{}` ended with code {}{}{}", fmt::join(words, " "),
                                   answer->code, why.empty() ? "" : ": ", printable(why)));
    }
    return std::move(answer->out);
}

std::optional<std::string> below_floor(const FirmwareBox& box, const std::string& version) {
    const auto answer = box.programs.run({floor_script, "admits", version}, {});
    if (!answer || answer->code != 1) {
        return std::nullopt;
    }
    return printable(last_line(answer->out));
}

std::string word_behind(std::string_view text, std::string_view name) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) {
        return {};
    }
    text.remove_prefix(at + name.size());
    return std::string(text.substr(0, text.find_first_of(" \n")));
}

}  // namespace smsrack::cli
