// The agent of Rig, with its defaults, an output cap and twenty turns: without them it ends after the first.
// `driver chat` speaks Chat Completions instead of OpenAI Responses, `anthropic` Anthropic Messages,
// `gemini` Gemini; `whole` behind each requests replies that do not stream.
use futures::StreamExt;
use rig_agent::{AgentBuilder, agent::MultiTurnStreamItem, rig_tool};
use rig_core::providers::{anthropic::Anthropic, gemini::GeminiConfig, openai::OpenAI};
use rig_core::tool::ToolExecutionError;

#[rig_tool(
    description = "Write a text file.",
    params(path = "The path of the file", content = "Its text")
)]
fn write(path: String, content: String) -> Result<String, ToolExecutionError> {
    std::fs::write(&path, content).map_err(ToolExecutionError::from_error)?;
    Ok(format!("Wrote {path}."))
}

fn builder(way: &str) -> anyhow::Result<AgentBuilder> {
    Ok(match way {
        "chat" => AgentBuilder::new(OpenAI::from_env()?.chat("gpt-5.2")),
        "anthropic" => AgentBuilder::new(Anthropic::from_env()?.completion("claude-sonnet-5-5")),
        "gemini" => {
            // It does not read GOOGLE_GEMINI_BASE_URL.
            let url = std::env::var("GOOGLE_GEMINI_BASE_URL")?;
            let gemini = GeminiConfig::from_env()?.with_base_url(url);
            AgentBuilder::new(gemini.client().completion("gemini-3-pro"))
        }
        _ => AgentBuilder::new(OpenAI::from_env()?.completion("gpt-5.2")),
    })
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let way = words.first().map_or("responses", String::as_str);
    let agent = builder(way)?
        .preamble("Write files.")
        .max_tokens(1024)
        .default_max_turns(20)
        .tool(Write)
        .build();
    if words.iter().any(|word| word == "whole") {
        println!("{}", agent.prompt("Write the file.").await?.output());
        return Ok(());
    }
    let mut events = agent.prompt("Write the file.").stream();
    while let Some(event) = events.next().await {
        if let MultiTurnStreamItem::FinalResponse(response) = event? {
            println!("{}", response.output());
        }
    }
    Ok(())
}
