/// Answers for the dashboard's page: its frame at the path of each screen, and its assets.
///
/// All paths in it are relative, so a proxy may have the gate below a path of its own. No answer has data of the rack.
/// Threads: any.
#pragma once

#include "firmware-host/gate/page/page_files.hpp"
#include "src/wire/http_message.hpp"

#include <cstddef>
#include <optional>

namespace smsrack::gate {

/// nullopt: the request is not for the page. Assets are always packed by gzip.
[[nodiscard]] std::optional<wire::HttpResponse> page_answer(const wire::HttpRequest& request,
                                                            const PageFiles& files);

/// Octets of that answer; 0: the request is not for the page, or for one of few words.
[[nodiscard]] std::size_t page_bytes(const wire::HttpRequest& request, const PageFiles& files);

}  // namespace smsrack::gate
